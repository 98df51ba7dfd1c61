import { createWebhookAddresses } from '../webhook-addresses.ts';

export const TYPE = 'twilio';

/**
 * Makes Twilio retry a webhook five times after any failure. By default Twilio retries once, and
 * only after a connection failure. Twilio stores the fragment, but neither sends nor signs it:
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
const CONNECTION_OVERRIDES = '#rc=5&rp=all';

export const addresses = createWebhookAddresses(TYPE, 'workspaceId', CONNECTION_OVERRIDES);
