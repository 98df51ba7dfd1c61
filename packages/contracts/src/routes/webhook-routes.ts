import { z } from 'zod';
import { ok } from './ok.ts';
import type { RouteTable } from './route.ts';

const tag = 'Provider webhooks';
const forged = 'Unsigned, wrongly signed, or for another workspace’s message or account';
const shared = {
  AccountSid: z.string(),
  MessageSid: z.string(),
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
      .object({ ...shared, MessageStatus: z.string(), ErrorCode: z.string().optional() })
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
        From: z.string(),
        To: z.string(),
        Body: z.string().optional(),
        NumMedia: z.string().optional(),
        MediaUrl0: z.string().optional(),
        MediaContentType0: z.string().optional(),
      })
      .meta({ id: 'InboundCallback' }),
    answer: { status: 200, contentType: 'text/xml', description: 'Empty TwiML' },
    errors: { forbidden: forged },
  },
} as const satisfies RouteTable;
