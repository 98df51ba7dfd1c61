import { z } from 'zod';

import type { VendorWebhooks } from '../vendor-description.ts';
import { address, identifier, word } from '../webhook-schemas.ts';

const shared = {
  id: identifier.describe('Telnyx’s identifier for the message'),
  from: z.object({ phone_number: address }),
};

const status = z
  .object({
    data: z.object({
      event_type: z.enum(['message.sent', 'message.finalized']),
      payload: z.object({
        ...shared,
        to: z.array(z.object({ phone_number: address, status: word })).min(1),
        webhook_url: z.string().describe('Contains the `id` of the message'),
        errors: z
          .array(z.object({ code: z.string().optional(), title: z.string().optional() }))
          .optional(),
      }),
    }),
  })
  .meta({ id: 'TelnyxStatus' });

const inbound = z
  .object({
    data: z.object({
      event_type: z.literal('message.received'),
      payload: z.object({
        ...shared,
        to: z.array(z.object({ phone_number: address })).min(1),
        subject: z.string().nullish().describe('Becomes the first line of the text'),
        text: z.string().optional(),
        parts: z.int().optional(),
        media: z
          .array(z.object({ url: z.url().nullable(), content_type: z.string().nullish() }))
          .optional()
          .describe('A file without a usable URL is stored as unreadable'),
        autoresponse_type: z
          .string()
          .optional()
          .describe('STOP, START or HELP, if Telnyx has replied to a keyword'),
      }),
    }),
  })
  .meta({ id: 'TelnyxMessage' });

const description =
  'Signed events with any other `event_type` get the response 200 and are ignored.';

export const webhooks: VendorWebhooks = {
  address: 'providerId',
  signature: {
    name: 'telnyx_signature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'Telnyx-Signature-Ed25519',
      description: 'Telnyx’s signature over `Telnyx-Timestamp` and the body',
    },
  },
  status: {
    operationId: 'receiveTelnyxStatus',
    summary: 'Receive the status of a message from Telnyx',
    description,
    body: status,
  },
  inbound: {
    operationId: 'receiveTelnyxMessage',
    summary: 'Receive a message from Telnyx',
    description,
    body: inbound,
  },
  examples: {
    TelnyxStatus: exampleOf('message.finalized', {
      to: [{ phone_number: '+14155550123', status: 'delivered' }],
      webhook_url:
        'https://sms.example.com/api/webhooks/telnyx/01a1f7b3-89b6-7000-bd3d-4fb81d1bee36/status?message=01a1f7b3-89b6-7000-bd3d-4fb81d1bee37&attempt=1',
    }),
    TelnyxMessage: exampleOf('message.received', { to: [{ phone_number: '+14155550123' }] }),
  },
};

function exampleOf(type: string, payload: Record<string, unknown>) {
  const id = '7b2e6c1a-52ad-4b8e-9d3f-0a1c5e7f9b24';
  const from = { phone_number: '+14155550100' };
  return { data: { event_type: type, payload: { id, from, ...payload } } };
}
