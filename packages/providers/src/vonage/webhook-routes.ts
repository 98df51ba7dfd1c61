import { z } from 'zod';

import type { VendorWebhooks } from '../vendor-description.ts';
import { address, identifier, word } from '../webhook-schemas.ts';

const shared = {
  message_uuid: identifier.describe('Vonage’s identifier for the message'),
  from: address,
};

const status = z
  .object({
    ...shared,
    status: word,
    client_ref: z.string().optional().describe('The `id` of the message'),
    error: z.object({ type: z.string(), title: z.string() }).optional(),
  })
  .meta({ id: 'VonageStatus' });

const inbound = z
  .object({
    ...shared,
    to: address,
    message_type: word.optional(),
    text: z.string().optional(),
  })
  .meta({ id: 'VonageMessage' });

const EXAMPLE_ID = '7b2e6c1a-52ad-4b8e-9d3f-0a1c5e7f9b24';

export const webhooks: VendorWebhooks = {
  address: 'providerId',
  signature: {
    name: 'vonage_signature',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from Vonage that contains the hash of the body',
    },
  },
  status: {
    operationId: 'receiveVonageStatus',
    summary: 'Receive the status of a message from Vonage',
    body: status,
  },
  inbound: {
    operationId: 'receiveVonageMessage',
    summary: 'Receive a message from Vonage',
    body: inbound,
  },
  examples: {
    VonageStatus: {
      message_uuid: EXAMPLE_ID,
      from: '14155550100',
      status: 'delivered',
      client_ref: '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37',
    },
    VonageMessage: {
      message_uuid: EXAMPLE_ID,
      from: '14155550123',
      to: '14155550100',
      message_type: 'text',
      text: 'When do you open?',
    },
  },
};
