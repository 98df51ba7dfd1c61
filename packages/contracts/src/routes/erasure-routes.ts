import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { erasure, erasureList } from '../erasure.ts';
import { pagingQuery } from '../query.ts';
import { defineRoute } from './define-route.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Erasing people';

export const erasureRoutes = {
  erasePerson: defineRoute({
    method: 'POST',
    paths: forSessions('/people/{number}/erase'),
    tag,
    summary: 'Erase a person',
    description:
      'Removes the texts, the media and the number of the person from messages, events, deliveries, notes, ' +
      'conversations, contacts, audit entries and the search, in the background. It covers every form of the number, and ' +
      'the other numbers of its contact. Messages that are scheduled or queued are canceled. The status, ' +
      'times and sender of each message stay, with `erased` in place of the number; so do the counts. An opt-out ' +
      'of the person still holds, by a keyed hash. Providers that can are asked to remove their copies. A repeated request ' +
      'returns the first one until nothing of the person is left here. It can’t be undone.',
    permission: 'manage',
    response: { status: 201, schema: erasure },
    errors: {
      invalid_params: '`number` is a number of this workspace, not of a person',
      quota_exceeded: quotaExceeded(
        QUOTAS.openErasuresPerWorkspace,
        'unfinished erasures per workspace',
      ).message,
    },
  }),

  listErasures: defineRoute({
    method: 'GET',
    paths: forSessions('/erasures'),
    tag,
    summary: 'List the requests to erase a person, newest first',
    description: 'They have no number.',
    permission: 'manage',
    query: pagingQuery,
    response: { status: 200, schema: erasureList },
  }),

  getErasure: defineRoute({
    method: 'GET',
    paths: forSessions('/erasures/{erasureId}'),
    tag,
    summary: 'Get the state of a request to erase a person',
    permission: 'manage',
    response: { status: 200, schema: erasure },
    errors: { not_found: 'The workspace has no such request' },
  }),
};
