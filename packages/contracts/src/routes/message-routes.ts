import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { z } from 'zod';
import { historyQuery, messageSelection, searchMessagesQuery } from '../list-messages.ts';
import { MESSAGE_COLUMNS } from '../message-columns.ts';
import { foundMessages, message, messageList, messageWithEvents } from '../message.ts';
import { receiveTestMessageRequest } from '../receive-test-message.ts';
import { parseSendMessage, sendMessageResponse, sendMessageRequest } from '../send-message.ts';
import { exportFormat } from '../export-format.ts';
import { idempotencyKeyHeader } from '../idempotency-key.ts';
import { BATCH_MAX_MEBIBYTES } from '../limits.ts';
import { parseSendBatch, sendBatchRequest, sendBatchResponse } from '../send-batch.ts';
import { defineRoute } from './define-route.ts';
import { exportQuota } from './export-quota.ts';
import { forKeysAndSessions } from './workspace-paths.ts';

const tag = 'Messages';
const noSuchMessage =
  'The workspace has no such message. Test mode finds only its own messages, and live mode none of them';
const noProvider = 'The workspace has no messaging provider configured';
const keyReused = '`Idempotency-Key` was used for a different request in the last 24 hours';

export const messageRoutes = {
  sendMessage: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/messages'),
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Send a message',
    description:
      'The service responds as soon as it has stored the message. From then on it neither loses the ' +
      'message nor sends it twice. Events and the message itself report the delivery.',
    rateLimit: 'sends',
    checksApiKey: 'in_handler',
    headers: z.object({
      'Idempotency-Key': idempotencyKeyHeader(', and the message is not sent again'),
      Prefer: z
        .string()
        .optional()
        .describe('`wait=N` waits up to N seconds (at most 30) for the provider to respond')
        .meta({ examples: ['wait=5'] }),
    }),
    body: sendMessageRequest,
    parseBody: parseSendMessage,
    response: {
      status: 201,
      schema: sendMessageResponse,
      headers: ['Idempotent-Replayed', 'Preference-Applied'],
    },
    failureCode: 'send_failed',
    errors: {
      provider_not_configured: noProvider,
      sender_not_configured:
        'Missing `from`: the workspace has neither a default number nor a messaging service',
      recipient_opted_out: '`to` has opted out of messages from this workspace',
      idempotency_key_reused: keyReused,
      forbidden:
        'Insufficient permissions for the resource: `from` is not a number of this workspace',
    },
  }),

  sendBatch: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/messages/batch'),
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Send up to 1,000 messages in one request',
    description:
      'The response has a result for each send, in the order of the request: the response to a single send, or the error and ' +
      'the detail that a single send gets. It arrives when all accepted messages are stored. If none could be stored, the whole ' +
      'request fails like a single send. Each send counts as a request in the rate limit, in order: those beyond the limit are ' +
      'refused with `rate_limited`, and the others are sent. Repeat a request that got no response with the same ' +
      '`Idempotency-Key`, or with the same `idempotency_key` in each send: no message is sent twice. A body has at most ' +
      '2 MiB, after decompression.',
    rateLimit: 'sends',
    headers: z.object({
      'Idempotency-Key': idempotencyKeyHeader(
        ', and no message is sent again. A response in which a send failed with `service_unavailable` or `send_failed` is not kept: ' +
          'a repeat then sends what is missing',
      ),
      'Content-Encoding': z
        .string()
        .optional()
        .describe('`gzip` if the body is compressed')
        .meta({ examples: ['gzip'] }),
    }),
    body: sendBatchRequest,
    bodyMaxMebibytes: BATCH_MAX_MEBIBYTES,
    parseBody: parseSendBatch,
    response: { status: 201, schema: sendBatchResponse, headers: ['Idempotent-Replayed'] },
    failureCode: 'send_failed',
    errors: {
      idempotency_key_reused: keyReused,
      quota_exceeded: quotaExceeded(
        QUOTAS.batchesPerWorkspace,
        'batches of a workspace that are sent at the same time',
      ).message,
    },
  }),

  receiveTestMessage: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/test/inbound'),
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Receive a message in test mode',
    description:
      'The message takes the way of one that a provider delivers: it is stored, its events reach sockets and webhooks, and STOP ' +
      'opts its sender out. All this stays in test mode.',
    rateLimit: 'sends',
    body: receiveTestMessageRequest,
    response: { status: 201, schema: message },
    errors: {
      invalid_state:
        'Only test mode receives messages in this way: use a key of mode `test`, or the path of the test workspace',
      not_found: '`to` is not a number of this workspace',
    },
  }),

  listMessages: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/messages'),
    scope: 'messages:read',
    tag,
    summary: 'List messages, newest first',
    freshness: 'may_lag',
    shorterRead: 'shorten the period from `startDate` to `endDate`, or add a filter',
    query: historyQuery,
    response: { status: 200, schema: messageList },
  }),

  searchMessages: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/messages/search'),
    scope: 'messages:read',
    tag,
    summary: 'Search messages for words or a number, newest first',
    description:
      'Finds messages that contain all the words, each as the beginning of a word, in any case, and messages whose number outside ' +
      'the workspace ends with these digits, in any notation. A page may be short or empty before the end of the history, ' +
      'because one request reads a limited part of it.',
    freshness: 'may_lag',
    shorterRead: 'search for more words or digits',
    query: searchMessagesQuery,
    response: { status: 200, schema: foundMessages },
  }),

  exportMessages: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/messages/export.csv'),
    scope: 'messages:read',
    tag,
    summary: 'Export messages as CSV, newest first',
    description:
      'A table in UTF-8 (RFC 4180) with a row for every message that matches the filters, without a limit. ' +
      'The service writes the table while the client reads it; a connection that ends early means that the table is not ' +
      `complete. The columns are ${MESSAGE_COLUMNS.map((name) => `\`${name}\``).join(', ')}. ` +
      'Times are UTC, and media URLs are separated by spaces. A value that a spreadsheet would execute as ' +
      'a formula begins with an apostrophe.',
    freshness: 'may_lag',
    query: messageSelection.extend({ ...exportFormat.shape, mode: historyQuery.shape.mode }),
    response: { status: 200, contentType: 'text/csv', description: 'The table' },
    errors: { quota_exceeded: exportQuota },
  }),

  getMessage: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/messages/{messageId}'),
    scope: 'messages:read',
    tag,
    summary: 'Get a message with its events',
    response: { status: 200, schema: messageWithEvents },
    errors: { not_found: noSuchMessage },
  }),

  cancelMessage: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/messages/{messageId}/cancel'),
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Cancel a message before it is handed to the provider',
    response: { status: 200, schema: message },
    errors: {
      not_found: noSuchMessage,
      invalid_state: 'The message has been handed to the provider or is final',
    },
  }),

  getMedia: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/messages/{messageId}/media/{index}'),
    scope: 'messages:read',
    tag,
    summary: 'Get a media file of a message',
    description:
      'The service fetches the file of a received message from the provider for each request and does not store ' +
      'it. For a sent message, only an uploaded file can be read. Images, sound and video keep their type. Any ' +
      'other file is `application/octet-stream`, so that browsers save it instead of showing it.',
    response: { status: 200, contentType: '*/*', description: 'The file, at most 5 MB' },
    errors: {
      not_found: 'The message has no such media',
      invalid_state: 'The media is too large, or its address is not allowed',
      provider_not_configured: noProvider,
      service_unavailable: 'The provider or the file storage did not respond',
    },
  }),
};
