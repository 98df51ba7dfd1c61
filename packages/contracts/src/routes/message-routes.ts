import { z } from 'zod';
import { historyQuery } from '../list-messages.ts';
import { message, messageList, messageWithEvents } from '../message.ts';
import { sendMessageAnswer, sendMessageRequest } from '../send-message.ts';
import { freshnessHeaders } from './freshness-headers.ts';
import type { RouteTable, SharedRoute } from './route.ts';

const tag = 'Messages';
const noSuchMessage = 'The workspace has no such message';

const send = {
  tag,
  summary: 'Send a message',
  description:
    'Answers once the message is stored: from then on it is neither lost nor sent twice. What ' +
    'becomes of it is told by the events and by the message itself.',
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .optional()
      .describe(
        '1 to 255 printable characters. For 24 hours, the same request with the same key is ' +
          'answered the same, with `Idempotent-Replayed: true`, and nothing is sent again',
      ),
    Prefer: z
      .string()
      .optional()
      .describe('`wait=N` holds the answer up to N seconds (30 at most) for the provider’s')
      .meta({ examples: ['wait=5'] }),
  }),
  body: sendMessageRequest,
  answer: { status: 201, schema: sendMessageAnswer },
  failureCode: 'send_failed',
  errors: {
    provider_not_configured: 'The workspace has no messaging provider configured',
    sender_not_configured: 'No `from`, and neither a default number nor a messaging service',
    recipient_opted_out: 'The recipient sent STOP to this workspace',
    idempotency_key_reused: 'The key was used for a different request',
    forbidden: '`from` is not a number of the workspace',
  },
} satisfies SharedRoute;

const list = {
  tag,
  summary: 'List messages, newest first',
  headers: freshnessHeaders,
  query: historyQuery,
  answer: { status: 200, schema: messageList },
} satisfies SharedRoute;

const get = {
  tag,
  summary: 'Get a message with what happened to it',
  answer: { status: 200, schema: messageWithEvents },
  errors: { not_found: noSuchMessage },
} satisfies SharedRoute;

const cancel = {
  tag,
  summary: 'Cancel a message that the provider does not have yet',
  answer: { status: 200, schema: message },
  errors: {
    not_found: noSuchMessage,
    invalid_state: 'The message has been handed to the provider or is finished',
  },
} satisfies SharedRoute;

const media = {
  tag,
  summary: 'Fetch what came with a received message',
  description:
    'Fetched from the provider at this moment, and not kept. Pictures, sound and video come with ' +
    'their type, anything else as `application/octet-stream`, to be saved and not shown.',
  answer: { status: 200, contentType: '*/*', description: 'The bytes, at most 5 MB' },
  errors: {
    not_found: 'No such message, it was not received, or it (or the provider) has no such media',
    invalid_state: 'The media is too large, or lies at an address that is not fetched',
    provider_not_configured: 'The workspace has no messaging provider configured',
    service_unavailable: 'The provider gave no answer',
  },
} satisfies SharedRoute;

export const messageRoutes = {
  'POST /api/messages': { ...send, credential: 'api_key' },
  'GET /api/messages': { ...list, credential: 'api_key' },
  'GET /api/messages/{messageId}': { ...get, credential: 'api_key' },
  'POST /api/messages/{messageId}/cancel': { ...cancel, credential: 'api_key' },
  'GET /api/messages/{messageId}/media/{index}': { ...media, credential: 'api_key' },
  'POST /api/ui/workspaces/{workspaceId}/messages': { ...send, credential: 'session' },
  'GET /api/ui/workspaces/{workspaceId}/messages': { ...list, credential: 'session' },
  'GET /api/ui/workspaces/{workspaceId}/messages/{messageId}': { ...get, credential: 'session' },
  'POST /api/ui/workspaces/{workspaceId}/messages/{messageId}/cancel': {
    ...cancel,
    credential: 'session',
  },
  'GET /api/ui/workspaces/{workspaceId}/messages/{messageId}/media/{index}': {
    ...media,
    credential: 'session',
  },
} as const satisfies RouteTable;
