import { z } from 'zod';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';

const tag = 'Provider webhooks';
const forged = 'Insufficient permissions for the resource: the signature is not valid';
const identifier = z.string().regex(/^[\w-]{1,64}$/);
const word = z.string().regex(/^[\w.-]{1,64}$/);
/** Not only phone numbers: any text without control characters. */
const address = z
  .string()
  .regex(/^\P{Cc}{1,128}$/u)
  // The same set without a property escape, because not all JSON Schema tools support those.
  .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,128}$` });

const telnyxPayload = {
  id: identifier.describe('Telnyx’s identifier for the message'),
  from: z.object({ phone_number: address }),
};

const telnyxStatus = z
  .object({
    data: z.object({
      event_type: z.enum(['message.sent', 'message.finalized']),
      payload: z.object({
        ...telnyxPayload,
        to: z.array(z.object({ phone_number: address, status: word })).min(1),
        webhook_url: z.string().describe('Contains the `id` of the message'),
        errors: z
          .array(z.object({ code: z.string().optional(), title: z.string().optional() }))
          .optional(),
      }),
    }),
  })
  .meta({ id: 'TelnyxStatus' });

const telnyxMessage = z
  .object({
    data: z.object({
      event_type: z.literal('message.received'),
      payload: z.object({
        ...telnyxPayload,
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

const vonageShared = {
  message_uuid: identifier.describe('Vonage’s identifier for the message'),
  from: address,
};

const vonageStatus = z
  .object({
    ...vonageShared,
    status: word,
    client_ref: z.string().optional().describe('The `id` of the message'),
    error: z.object({ type: z.string(), title: z.string() }).optional(),
  })
  .meta({ id: 'VonageStatus' });

const vonageMessage = z
  .object({
    ...vonageShared,
    to: address,
    message_type: word.optional(),
    text: z.string().optional(),
  })
  .meta({ id: 'VonageMessage' });

const gatewayWebhook = z
  .looseObject({})
  .describe(
    'An object or a form of any shape. The configuration of the account defines where its values are',
  )
  .meta({ id: 'GatewayWebhook', examples: [{ id: 'EKJyHj4ZNU', status: 'delivered' }] });

const shared = { method: 'POST', tag, errors: { forbidden: forged } } as const;
const ignored = 'Signed events with any other `event_type` get the response 200 and are ignored.';
const gatewayFormats =
  'Also accepts forms. The credentials of the account name the header of the signature and the paths to the values. Signed events of other kinds get the response 200 and are ignored.';
const received = { status: 200, schema: ok } as const;

/** The webhooks of the other vendors. Each adapter verifies and parses the bodies itself. */
export const vendorWebhookRoutes = {
  receiveTelnyxStatus: defineRoute({
    ...shared,
    paths: { telnyx_signature: '/api/webhooks/telnyx/{providerId}/status' },
    summary: 'Receive the status of a message from Telnyx',
    description: ignored,
    body: telnyxStatus,
    answer: received,
  }),
  receiveTelnyxMessage: defineRoute({
    ...shared,
    paths: { telnyx_signature: '/api/webhooks/telnyx/{providerId}/inbound' },
    summary: 'Receive a message from Telnyx',
    description: ignored,
    body: telnyxMessage,
    answer: received,
  }),
  receiveVonageStatus: defineRoute({
    ...shared,
    paths: { vonage_signature: '/api/webhooks/vonage/{providerId}/status' },
    summary: 'Receive the status of a message from Vonage',
    body: vonageStatus,
    answer: received,
  }),
  receiveVonageMessage: defineRoute({
    ...shared,
    paths: { vonage_signature: '/api/webhooks/vonage/{providerId}/inbound' },
    summary: 'Receive a message from Vonage',
    body: vonageMessage,
    answer: received,
  }),
  receiveGatewayStatus: defineRoute({
    ...shared,
    paths: { gateway_signature: '/api/webhooks/http/{providerId}/status' },
    summary: 'Receive the status of a message from an HTTP gateway',
    description: gatewayFormats,
    body: gatewayWebhook,
    answer: received,
  }),
  receiveGatewayMessage: defineRoute({
    ...shared,
    paths: { gateway_signature: '/api/webhooks/http/{providerId}/inbound' },
    summary: 'Receive a message from an HTTP gateway',
    description: gatewayFormats,
    body: gatewayWebhook,
    answer: received,
  }),
};
