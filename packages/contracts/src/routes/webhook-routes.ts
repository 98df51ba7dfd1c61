import { z } from 'zod';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';

const tag = 'Provider webhooks';
const forged = 'Insufficient permissions for the resource: the signature is not valid';
const identifier = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
/** Not only phone numbers: any text without control characters. */
const address = z
  .string()
  .regex(/^\P{Cc}{1,128}$/u)
  // The same set without a property escape, because not all JSON Schema tools support those.
  .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,128}$` });
const word = z.string().regex(/^[\w-]{1,32}$/);
const shared = {
  AccountSid: identifier,
  MessageSid: identifier,
};

export const webhookRoutes = {
  receiveStatus: defineRoute({
    method: 'POST',
    paths: { provider_signature: '/api/webhooks/twilio/{workspaceId}/status' },
    tag,
    summary: 'Receive the status of a message',
    query: z.object({
      message: z.string().optional().describe('The `id` of the message'),
      attempt: z.string().optional().describe('The number of the attempt'),
    }),
    bodyType: 'application/x-www-form-urlencoded',
    body: z
      .object({
        ...shared,
        MessageStatus: word,
        From: z.string().optional().describe('Ignored if it is no address'),
        ErrorCode: z
          .string()
          .max(32)
          .optional()
          .describe('Ignored if it is longer than 32 characters'),
        ErrorMessage: z.string().optional().describe('The first 1,000 characters are kept'),
      })
      .meta({ id: 'StatusCallback' }),
    answer: { status: 200, schema: ok },
    errors: { forbidden: forged },
  }),

  receiveMessage: defineRoute({
    method: 'POST',
    paths: { provider_signature: '/api/webhooks/twilio/{workspaceId}/inbound' },
    tag,
    summary: 'Receive a message',
    bodyType: 'application/x-www-form-urlencoded',
    body: z
      .object({
        ...shared,
        From: address,
        To: address,
        Body: z.string().optional(),
        NumMedia: z.string().optional(),
        NumSegments: z
          .string()
          .optional()
          .describe('Counted from the text if the value is impossible'),
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
      .meta({ id: 'InboundCallback' }),
    answer: { status: 200, contentType: 'text/xml', description: 'Empty TwiML' },
    errors: { forbidden: forged },
  }),
};
