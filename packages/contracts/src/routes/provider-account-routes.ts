import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { describeMissingParams } from '../parse-request.ts';
import {
  addProviderRequest,
  changeProviderRequest,
  providerAccount,
  providerAccountList,
} from '../provider-account.ts';
import { providerNumberList } from '../phone-number.ts';
import { verifyProviderResponse } from '../provider.ts';
import { pagingQuery } from '../query.ts';
import {
  previewRoutingRequest,
  routing,
  routingPreview,
  routingShares,
  routingSharesQuery,
} from '../routing.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { strictCredentials } from './strict-credentials.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Provider';
const all = forSessions('/providers');
const one = forSessions('/providers/{providerId}');
const routingPaths = forSessions('/routing');
const noSuchProvider = 'The workspace has no such provider';
const accountExists = 'The workspace already has a provider with this account';

export const providerAccountRoutes = {
  listProviders: defineRoute({
    method: 'GET',
    paths: all,
    tag,
    summary: 'List the provider accounts of the workspace',
    query: pagingQuery,
    response: { status: 200, schema: providerAccountList },
  }),

  addProvider: defineRoute({
    method: 'POST',
    paths: all,
    testMode: 'refused',
    tag,
    summary: 'Add a provider account',
    description: 'The first account becomes the default.',
    permission: 'manage',
    headers: strictCredentials,
    body: addProviderRequest,
    rateLimit: 'provider_calls',
    response: { status: 201, schema: providerAccount, headers: ['Preference-Applied'] },
    errors: {
      already_exists: accountExists,
      quota_exceeded: quotaExceeded(QUOTAS.providersPerWorkspace, 'providers per workspace')
        .message,
    },
  }),

  getProviderAccount: defineRoute({
    method: 'GET',
    paths: one,
    tag,
    summary: 'Get a provider account',
    response: { status: 200, schema: providerAccount },
    errors: { not_found: noSuchProvider },
  }),

  changeProvider: defineRoute({
    method: 'PATCH',
    paths: one,
    testMode: 'refused',
    tag,
    summary: 'Change a provider account',
    description:
      'New credentials replace the old ones as a whole; those of the type `http` keep the fields that the request omits. The type cannot change.',
    permission: 'manage',
    headers: strictCredentials,
    body: changeProviderRequest,
    rateLimit: 'provider_calls',
    response: { status: 200, schema: providerAccount, headers: ['Preference-Applied'] },
    errors: {
      missing_params: describeMissingParams([
        'name',
        'credentials',
        'on_unknown',
        'enabled',
        'is_default',
        'country',
      ]),
      not_found: noSuchProvider,
      already_exists: accountExists,
    },
  }),

  removeProviderAccount: defineRoute({
    method: 'DELETE',
    paths: one,
    testMode: 'refused',
    tag,
    summary: 'Remove a provider account',
    description:
      'If the account is the default, the oldest remaining account becomes the default. Messages of the account whose outcome is unknown can no longer be looked up.',
    permission: 'manage',
    response: { status: 200, schema: ok },
    errors: {
      not_found: noSuchProvider,
      invalid_state: 'Numbers or routing rules use the provider: change them first',
    },
  }),

  verifyProviderAccount: defineRoute({
    method: 'POST',
    paths: forSessions('/providers/{providerId}/verify'),
    testMode: 'refused',
    tag,
    summary: 'Verify the credentials of a provider account',
    rateLimit: 'provider_calls',
    response: { status: 200, schema: verifyProviderResponse },
    errors: { not_found: noSuchProvider },
  }),

  listProviderNumbers: defineRoute({
    method: 'GET',
    paths: forSessions('/providers/{providerId}/numbers'),
    testMode: 'refused',
    permission: 'change',
    tag,
    summary: 'List the numbers that a provider account owns',
    description:
      'Reads the list of the provider. For each number, the response says whether the workspace has it, and where the provider sends its inbound messages. To use a number, add it: `POST …/numbers`.',
    query: pagingQuery,
    rateLimit: 'provider_calls',
    response: { status: 200, schema: providerNumberList },
    errors: {
      not_found: noSuchProvider,
      invalid_state: 'The credentials of this provider account cannot list its numbers',
    },
  }),

  getRouting: defineRoute({
    method: 'GET',
    paths: routingPaths,
    tag,
    summary: 'Get the routing of messages',
    response: { status: 200, schema: routing },
  }),

  putRouting: defineRoute({
    method: 'PUT',
    paths: routingPaths,
    testMode: 'refused',
    tag,
    summary: 'Set the routing of messages',
    description:
      'A message with a sender uses the account of the sender, and a conversation keeps its number. Other messages are distributed by the weights of the rule with the longest matching prefix.',
    permission: 'manage',
    body: routing,
    response: { status: 200, schema: routing },
    errors: { invalid_params: '`rules` must name providers of this workspace' },
  }),

  getRoutingShares: defineRoute({
    method: 'GET',
    paths: forSessions('/routing/shares'),
    tag,
    summary: 'Get the share of recent messages that each provider account sent',
    freshness: 'may_lag',
    query: routingSharesQuery,
    response: { status: 200, schema: routingShares },
  }),

  previewRouting: defineRoute({
    method: 'POST',
    paths: forSessions('/routing/preview'),
    permission: 'read',
    tag,
    summary: 'Show the accounts and senders that a new message to a number would use now',
    description:
      'Sends nothing. The response takes into account which provider accounts work now, and which number a conversation with the recipient uses.',
    body: previewRoutingRequest,
    response: { status: 200, schema: routingPreview },
  }),
};
