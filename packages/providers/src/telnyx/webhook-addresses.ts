import { createWebhookAddresses } from '../webhook-addresses.ts';

export const TYPE = 'telnyx';

export const addresses = createWebhookAddresses(TYPE, 'providerId');
