import { z } from 'zod';
import { apiKeyList, createApiKeyRequest, createdApiKey } from '../api-key.ts';
import { auditList } from '../audit.ts';
import { errorCodes } from '../error-codes.ts';
import { changeKeywordRepliesRequest, keywordReplies } from '../keyword-replies.ts';
import { addOptOutRequest, optOut, optOutList } from '../opt-out.ts';
import { provider, putProviderRequest, verifyProviderAnswer } from '../provider.ts';
import { pagingQuery } from '../query.ts';
import { stats, statsQuery } from '../stats.ts';
import { ok } from './ok.ts';
import type { RouteTable } from './route.ts';

const noProvider = 'The workspace has no messaging provider configured';

/** What only people may do, in the workspace that the path names. */
export const settingsRoutes = {
  'GET /api/ui/workspaces/{workspaceId}/api-keys': {
    tag: 'API keys',
    summary: 'List the workspace’s keys, revoked ones too',
    credential: 'session',
    query: pagingQuery,
    answer: { status: 200, schema: apiKeyList },
  },
  'POST /api/ui/workspaces/{workspaceId}/api-keys': {
    tag: 'API keys',
    summary: 'Make a key',
    credential: 'session',
    ownersOnly: true,
    body: createApiKeyRequest,
    answer: { status: 201, schema: createdApiKey },
    errors: { quota_exceeded: 'The workspace has as many keys as it may' },
  },
  'DELETE /api/ui/workspaces/{workspaceId}/api-keys/{keyId}': {
    tag: 'API keys',
    summary: 'Revoke a key, at once and everywhere',
    credential: 'session',
    ownersOnly: true,
    answer: { status: 200, schema: ok },
    errors: { not_found: 'The workspace has no such key, or it is revoked already' },
  },

  'GET /api/ui/workspaces/{workspaceId}/provider': {
    tag: 'Provider',
    summary: 'Get the provider’s configuration',
    credential: 'session',
    answer: { status: 200, schema: provider },
    errors: { not_found: noProvider },
  },
  'PUT /api/ui/workspaces/{workspaceId}/provider': {
    tag: 'Provider',
    summary: 'Set the provider’s configuration',
    description:
      'Numbers that are there already are wired soon after the answer, as far as the account owns them: see `inbound_wired`.',
    credential: 'session',
    ownersOnly: true,
    headers: z.object({
      Prefer: z
        .string()
        .optional()
        .describe(
          '`handling=strict` has the provider verify the credentials first: refused ones are ' +
            '`invalid_params`, and what is configured stays. Without it they are stored unverified',
        )
        .meta({ examples: ['handling=strict'] }),
    }),
    body: putProviderRequest,
    answer: { status: 200, schema: provider },
  },
  'DELETE /api/ui/workspaces/{workspaceId}/provider': {
    tag: 'Provider',
    summary: 'Remove the provider’s configuration',
    credential: 'session',
    ownersOnly: true,
    answer: { status: 200, schema: ok },
    errors: { not_found: noProvider },
  },
  'POST /api/ui/workspaces/{workspaceId}/provider/verify': {
    tag: 'Provider',
    summary: 'Ask the provider whether it takes the credentials',
    description: 'If it does, numbers that are not wired are tried again soon after the answer.',
    credential: 'session',
    answer: { status: 200, schema: verifyProviderAnswer },
    errors: { provider_not_configured: noProvider },
  },

  'GET /api/ui/workspaces/{workspaceId}/opt-outs': {
    tag: 'Opt-outs',
    summary: 'List the numbers that nothing is sent to',
    credential: 'session',
    query: pagingQuery,
    answer: { status: 200, schema: optOutList },
  },
  'POST /api/ui/workspaces/{workspaceId}/opt-outs': {
    tag: 'Opt-outs',
    summary: 'Opt a number out',
    credential: 'session',
    body: addOptOutRequest,
    answer: { status: 201, schema: optOut },
    errors: {
      already_exists: 'The number has opted out already',
      quota_exceeded:
        'The users of the workspace have added as many opt-outs as they may. An opt-out that a phone sends is stored nevertheless',
    },
  },
  'DELETE /api/ui/workspaces/{workspaceId}/opt-outs/{number}': {
    tag: 'Opt-outs',
    summary: 'Lift an opt-out',
    credential: 'session',
    answer: { status: 200, schema: ok },
    errors: { not_found: 'The number has not opted out' },
  },
  'GET /api/ui/workspaces/{workspaceId}/keyword-replies': {
    tag: 'Opt-outs',
    summary: 'What STOP, START and HELP are answered with',
    description: 'Null stands for the words of the service.',
    credential: 'session',
    answer: { status: 200, schema: keywordReplies },
  },
  'PATCH /api/ui/workspaces/{workspaceId}/keyword-replies': {
    tag: 'Opt-outs',
    summary: 'Change the answers to STOP, START and HELP',
    description: 'What is left out stays as it is.',
    credential: 'session',
    body: changeKeywordRepliesRequest,
    answer: { status: 200, schema: keywordReplies },
  },

  'GET /api/ui/workspaces/{workspaceId}/stats': {
    tag: 'Statistics and audit',
    summary: 'Count messages by status and direction',
    description:
      'Per hour (at most 31 days) or per day (at most 366), by the clock of `time_zone`. Every ' +
      'interval is there, the quiet ones without counts.',
    credential: 'session',
    query: statsQuery,
    answer: { status: 200, schema: stats },
  },
  'GET /api/ui/workspaces/{workspaceId}/error-codes': {
    tag: 'Statistics and audit',
    summary: 'Count messages by error code, against the time before',
    description: 'Takes the parameters of the statistics; the interval only sets their bounds.',
    credential: 'session',
    query: statsQuery,
    answer: { status: 200, schema: errorCodes },
  },
  'GET /api/ui/workspaces/{workspaceId}/audit': {
    tag: 'Statistics and audit',
    summary: 'Who changed what, the latest first',
    credential: 'session',
    ownersOnly: true,
    query: pagingQuery,
    answer: { status: 200, schema: auditList },
  },
} as const satisfies RouteTable;
