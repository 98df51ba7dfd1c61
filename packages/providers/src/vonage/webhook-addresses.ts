import { createWebhookAddresses } from '../webhook-addresses.ts';

export const TYPE = 'vonage';

export const addresses = createWebhookAddresses(TYPE, 'providerId');
