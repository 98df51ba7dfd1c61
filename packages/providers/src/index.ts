export {
  createProviderRegistry,
  type ProviderRegistry,
  type ProviderRegistryOptions,
} from './provider-registry.ts';
export { createTwilioAdapter, type TwilioAdapterOptions } from './twilio/twilio-adapter.ts';
export { toInboundUrl } from './twilio/webhook-url.ts';
