export {
  type FailureLimit,
  type LimitState,
  type LimitedClient,
  type RateLimit,
  type RateLimits,
  createRateLimits,
} from './create-rate-limits.ts';
