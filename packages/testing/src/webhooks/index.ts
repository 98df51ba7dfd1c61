export {
  createGatewayAccount,
  formatGatewayWebhook,
  signGatewayBody,
} from './sign-gateway-webhook.ts';
export {
  createTelnyxAccount,
  formatTelnyxEvent,
  signTelnyxBody,
  signTelnyxWebhook,
} from './sign-telnyx-webhook.ts';
export {
  createVonageAccount,
  formatError,
  signVonageBody,
  signVonageWebhook,
  VONAGE_KEYS,
} from './sign-vonage-webhook.ts';
export type { WebhookContent } from './webhook-content.ts';
