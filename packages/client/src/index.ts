export { type Arguments, type Client, type ClientOptions, createClient } from './create-client.ts';
export type {
  ResponseOf,
  BodyOf,
  ErrorCode,
  RequestOptions,
  Result,
  RouteKey,
  WebhookEvent,
} from './route-types.ts';
export {
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookRequest,
  WebhookVerificationError,
  verifyWebhook,
} from './verify-webhook.ts';
