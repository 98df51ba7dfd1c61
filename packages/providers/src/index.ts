export {
  createProviderRegistry,
  type ProviderRegistry,
  type ProviderRegistryOptions,
  readApiUrls,
} from './provider-registry.ts';
export { type OutboundFetch, createOutboundFetch } from './http/create-outbound-fetch.ts';
export { type LimitedFetch, createLimitedFetch } from './http/create-limited-fetch.ts';
export { type CheckedPost, createCheckedPost } from './http/post-checked.ts';
export { type WebhookTargets, createWebhookTargets } from './http/webhook-url.ts';
export { type OutboundProxy, readProxy } from './http/outbound-proxy.ts';
export {
  createResolveProviderAccount,
  type ResolveProviderAccount,
  type ResolvedAccount,
  type SealedProvider,
  TEST_TYPE,
} from './resolve-provider-account.ts';
