import { z } from 'zod';
import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { describeMissingParams } from '../parse-request.ts';
import {
  addNumberRequest,
  changeNumberRequest,
  configureInboundResponse,
  phoneNumber,
  phoneNumberList,
} from '../phone-number.ts';
import { pagingQuery } from '../query.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { forKeysAndSessions } from './workspace-paths.ts';

const tag = 'Numbers';
const listQuery = pagingQuery.extend({
  number: z.string().optional().describe('Only this number, if the workspace has it'),
});
const paths = forKeysAndSessions('/numbers');
const pathsOfOne = forKeysAndSessions('/numbers/{numberId}');
const noSuchNumber = 'The workspace has no such number';

export const numberRoutes = {
  listNumbers: defineRoute({
    method: 'GET',
    paths,
    scope: 'numbers:write',
    tag,
    summary: 'List the numbers of the workspace',
    query: listQuery,
    response: { status: 200, schema: phoneNumberList },
  }),

  addNumber: defineRoute({
    method: 'POST',
    paths,
    scope: 'numbers:write',
    tag,
    summary: 'Add a number',
    description:
      'If the provider account owns the number, the service also sets the inbound URL of the number ' +
      'at the provider.',
    body: addNumberRequest,
    response: { status: 201, schema: phoneNumber },
    errors: {
      already_exists: '`number` is already a number of this workspace',
      quota_exceeded: quotaExceeded(QUOTAS.numbersPerWorkspace, 'numbers per workspace').message,
    },
  }),

  changeNumber: defineRoute({
    method: 'PATCH',
    paths: pathsOfOne,
    scope: 'numbers:write',
    tag,
    summary: 'Change a number, or make it the default',
    body: changeNumberRequest,
    response: { status: 200, schema: phoneNumber },
    errors: {
      missing_params: describeMissingParams(['label', 'is_default', 'provider_id']),
      not_found: noSuchNumber,
      invalid_state:
        'The default number stays the default until you make another number the default',
    },
  }),

  configureInbound: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/numbers/{numberId}/configure-inbound'),
    scope: 'numbers:write',
    tag,
    summary: 'Configure inbound messages for a number at its provider',
    description:
      'Sets the inbound URL of the number at the provider, in place of any other. If that fails, ' +
      '`detail` says why, and which URL to enter in the provider’s console if it can only be set there.',
    response: { status: 200, schema: configureInboundResponse },
    errors: { not_found: noSuchNumber },
  }),

  removeNumber: defineRoute({
    method: 'DELETE',
    paths: pathsOfOne,
    scope: 'numbers:write',
    tag,
    summary: 'Remove a number',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchNumber },
  }),
};
