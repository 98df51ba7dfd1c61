export {
  type FailureLimit,
  type LimitState,
  type LimitedClient,
  type RateLimit,
  type RateLimits,
  createRateLimits,
  webhookLimit,
} from './create-rate-limits.ts';
