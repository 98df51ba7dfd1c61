import { z } from 'zod';
import { ok } from './ok.ts';
import type { RouteTable } from './route.ts';

const tag = 'Provider webhooks';
const forged = 'Unsigned, wrongly signed, or for another workspace’s message or account';
const identifier = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
/** Not only phone numbers: anything but control characters. */
const address = z.string().regex(/^\P{Cc}{1,128}$/u);
const word = z.string().regex(/^[\w-]{1,32}$/);
const shared = {
  AccountSid: identifier,
  MessageSid: identifier,
};

/** What the provider calls; listed so that nothing the service answers is left out. */
export const webhookRoutes = {
  'POST /api/webhooks/twilio/{workspaceId}/status': {
    tag,
    summary: 'What became of a message',
    credential: 'provider_signature',
    query: z.object({
      message: z.string().optional().describe('Our `id` of the message'),
      attempt: z.string().optional(),
    }),
    bodyType: 'application/x-www-form-urlencoded',
    body: z
      .object({
        ...shared,
        MessageStatus: word,
        From: address.optional(),
        ErrorCode: z.string().max(32).optional().describe('Ignored if it is longer'),
        ErrorMessage: z.string().optional().describe('The first 1,000 characters are kept'),
      })
      .meta({ id: 'StatusCallback' }),
    answer: { status: 200, schema: ok },
    errors: { forbidden: forged },
  },
  'POST /api/webhooks/twilio/{workspaceId}/inbound': {
    tag,
    summary: 'A message was received',
    credential: 'provider_signature',
    bodyType: 'application/x-www-form-urlencoded',
    body: z
      .object({
        ...shared,
        From: address,
        To: address,
        Body: z.string().optional(),
        NumMedia: z.string().optional(),
        NumSegments: z.string().optional().describe('Counted from the text if it is impossible'),
        OptOutType: word
          .optional()
          .describe('STOP, START or HELP: decides over the text whether it is a keyword'),
        MediaUrl0: z.string().max(2_048).optional().describe('Up to `MediaUrl9`'),
        MediaContentType0: z.string().optional(),
      })
      .meta({ id: 'InboundCallback' }),
    answer: { status: 200, contentType: 'text/xml', description: 'Empty TwiML' },
    errors: { forbidden: forged },
  },
} as const satisfies RouteTable;
