import { z } from 'zod';

import type { VendorWebhooks } from '../vendor-description.ts';
import { address } from '../webhook-schemas.ts';

const identifier = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
const word = z.string().regex(/^[\w-]{1,32}$/);
const shared = {
  AccountSid: identifier,
  MessageSid: identifier,
};

const status = z
  .object({
    ...shared,
    MessageStatus: word,
    From: z.string().optional().describe('Ignored if it is no address'),
    ErrorCode: z.string().max(32).optional().describe('Ignored if it is longer than 32 characters'),
    ErrorMessage: z.string().optional().describe('The first 1,000 characters are kept'),
  })
  .meta({ id: 'StatusCallback' });

const inbound = z
  .object({
    ...shared,
    From: address,
    To: address,
    Body: z.string().optional(),
    NumMedia: z.string().optional(),
    NumSegments: z.string().optional().describe('Counted from the text if the value is impossible'),
    OptOutType: z
      .string()
      .optional()
      .describe(
        'STOP, START or HELP: overrides the keyword found in the text. With any other value the text decides',
      ),
    MediaUrl0: z
      .string()
      .max(2_048)
      .optional()
      .describe('The first media URL; further ones are `MediaUrl1` to `MediaUrl49`'),
    MediaContentType0: z.string().optional(),
  })
  .meta({ id: 'InboundCallback' });

export const webhooks: VendorWebhooks = {
  address: 'workspaceId',
  signature: {
    name: 'provider_signature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Twilio-Signature',
      description: 'The provider’s signature over the URL and the form',
    },
  },
  status: {
    operationId: 'receiveStatus',
    summary: 'Receive the status of a message',
    query: z.object({
      message: z.string().optional().describe('The `id` of the message'),
      attempt: z.string().optional().describe('The number of the attempt'),
    }),
    bodyType: 'application/x-www-form-urlencoded',
    body: status,
  },
  inbound: {
    operationId: 'receiveMessage',
    summary: 'Receive a message',
    bodyType: 'application/x-www-form-urlencoded',
    body: inbound,
    reply: { contentType: 'text/xml', description: 'Empty TwiML' },
  },
  examples: {
    AccountSid: 'AC0123456789abcdef0123456789abcdef',
    MessageSid: 'SM3f0c1d2e4b5a69788796a5b4c3d2e1f0',
    MessageStatus: 'delivered',
    From: '+14155550123',
    To: '+14155550100',
  },
};
