import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { apiKeyList, createApiKeyRequest, createdApiKey, rotateApiKeyRequest } from '../api-key.ts';
import { auditFilter, auditList, auditQuery } from '../audit.ts';
import { delivery } from '../delivery.ts';
import { errorCodes } from '../error-codes.ts';
import { changeKeywordRepliesRequest, keywordReplies } from '../keyword-replies.ts';
import { addOptOutRequest, optOut, optOutList } from '../opt-out.ts';
import { parseBody } from '../parse-request.ts';
import { pagingQuery } from '../query.ts';
import { stats, statsQuery } from '../stats.ts';
import { defineRoute } from './define-route.ts';
import { exportQuota } from './export-quota.ts';
import { ok } from './ok.ts';
import { forSessions } from './workspace-paths.ts';

const noSuchKey = 'The workspace has no such API key';
const shorterPeriod = 'shorten the period from `from` to `to`';

export const settingsRoutes = {
  listApiKeys: defineRoute({
    method: 'GET',
    paths: forSessions('/api-keys'),
    tag: 'API keys',
    summary: 'List the API keys, including revoked ones',
    query: pagingQuery,
    response: { status: 200, schema: apiKeyList },
  }),

  createApiKey: defineRoute({
    method: 'POST',
    paths: forSessions('/api-keys'),
    tag: 'API keys',
    summary: 'Create an API key',
    permission: 'manage',
    body: createApiKeyRequest,
    response: { status: 201, schema: createdApiKey },
    errors: {
      invalid_params: '`expires_at` must be in the future, at most 100 years ahead',
      quota_exceeded: quotaExceeded(QUOTAS.apiKeysPerWorkspace, 'API keys per workspace').message,
    },
  }),

  rotateApiKey: defineRoute({
    method: 'POST',
    paths: forSessions('/api-keys/{keyId}/rotate'),
    tag: 'API keys',
    summary: 'Replace the secret of an API key',
    description:
      'The key keeps its id, name, scopes and addresses. Earlier secrets work until the overlap ends, or until they ' +
      'would have ended anyway. With an overlap of 0, they stop working in every process before the response is sent.',
    permission: 'manage',
    body: rotateApiKeyRequest,
    parseBody: (body: unknown) => parseBody(rotateApiKeyRequest, body ?? {}),
    response: { status: 200, schema: createdApiKey },
    errors: {
      not_found: noSuchKey,
      invalid_state: 'The key was revoked or has expired: create another key',
      quota_exceeded: quotaExceeded(QUOTAS.replacedSecretsPerKey, 'earlier secrets per API key')
        .message,
    },
  }),

  revokeApiKey: defineRoute({
    method: 'DELETE',
    paths: forSessions('/api-keys/{keyId}'),
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'The key stops working in every process before the response is sent.',
    permission: 'manage',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchKey },
  }),

  listOptOuts: defineRoute({
    method: 'GET',
    paths: forSessions('/opt-outs'),
    tag: 'Opt-outs',
    summary: 'List the numbers that have opted out',
    query: pagingQuery,
    response: { status: 200, schema: optOutList },
  }),

  addOptOut: defineRoute({
    method: 'POST',
    paths: forSessions('/opt-outs'),
    tag: 'Opt-outs',
    summary: 'Opt a number out',
    description:
      'The quota counts the opt-outs that users add. An opt-out that a recipient requests is always stored.',
    body: addOptOutRequest,
    response: { status: 201, schema: optOut },
    errors: {
      already_exists: '`number` has already opted out',
      quota_exceeded: quotaExceeded(QUOTAS.addedOptOutsPerWorkspace, 'opt-outs added by users')
        .message,
    },
  }),

  removeOptOut: defineRoute({
    method: 'DELETE',
    paths: forSessions('/opt-outs/{number}'),
    tag: 'Opt-outs',
    summary: 'Remove an opt-out',
    response: { status: 200, schema: ok },
    errors: { not_found: 'The number has not opted out' },
  }),

  getKeywordReplies: defineRoute({
    method: 'GET',
    paths: forSessions('/keyword-replies'),
    tag: 'Opt-outs',
    summary: 'Get the replies to STOP, START and HELP, and your own words for them',
    description: 'A reply of null means the built-in text.',
    response: { status: 200, schema: keywordReplies },
  }),

  changeKeywordReplies: defineRoute({
    method: 'PATCH',
    paths: forSessions('/keyword-replies'),
    tag: 'Opt-outs',
    summary: 'Change the replies to STOP, START and HELP, and your own words for them',
    description: 'A field that is absent keeps its value. No word may be in two lists.',
    body: changeKeywordRepliesRequest,
    response: { status: 200, schema: keywordReplies },
  }),

  getStats: defineRoute({
    method: 'GET',
    paths: forSessions('/stats'),
    tag: 'Statistics and audit',
    summary: 'Count messages by status and direction',
    description:
      'Per hour (at most 31 days) or per day (at most 366), in the time zone that `time_zone` names. Intervals ' +
      'without messages are included, with no counts.',
    shorterRead: shorterPeriod,
    query: statsQuery,
    response: { status: 200, schema: stats },
  }),

  getErrorCodes: defineRoute({
    method: 'GET',
    paths: forSessions('/error-codes'),
    tag: 'Statistics and audit',
    summary: 'Count messages by error code, compared with the preceding period',
    description:
      'Takes the parameters of the statistics. `interval` only determines how long the period may be.',
    shorterRead: shorterPeriod,
    query: statsQuery,
    response: { status: 200, schema: errorCodes },
  }),

  getDelivery: defineRoute({
    method: 'GET',
    paths: forSessions('/delivery'),
    tag: 'Statistics and audit',
    summary:
      'Count sent messages by country, sender, provider and key, compared with earlier weeks',
    description:
      'Takes the parameters of the statistics. `interval` only determines how long the period may be. Each `value` can be ' +
      'used as a filter of the message list.',
    shorterRead: shorterPeriod,
    query: statsQuery,
    response: { status: 200, schema: delivery },
  }),

  listAuditEntries: defineRoute({
    method: 'GET',
    paths: forSessions('/audit'),
    tag: 'Statistics and audit',
    summary: 'List the audit trail, newest first',
    permission: 'manage',
    query: auditQuery,
    response: { status: 200, schema: auditList },
  }),

  exportAuditEntries: defineRoute({
    method: 'GET',
    paths: forSessions('/audit/export.csv'),
    tag: 'Statistics and audit',
    summary: 'Export the audit trail as CSV, newest first',
    description:
      'Takes the filters of the list. A table in UTF-8 with the columns `at`, `actor_type`, `actor_id`, `actor`, `action`, ' +
      '`target`, `detail`, which is JSON, and `ip`. A value that a spreadsheet would execute as a formula begins with an apostrophe.',
    permission: 'manage',
    query: auditFilter,
    response: { status: 200, contentType: 'text/csv', description: 'The table' },
    errors: { quota_exceeded: exportQuota },
  }),
};
