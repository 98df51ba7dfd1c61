import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { pagingQuery } from '../query.ts';
import {
  addSavedViewRequest,
  changeSavedViewRequest,
  savedView,
  savedViewList,
} from '../saved-view.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { forSessions } from './workspace-paths.ts';

const tag = 'Messages';
const all = forSessions('/saved-views');
const one = forSessions('/saved-views/{viewId}');
const noSuchView = 'The workspace has no such saved view';
const nameExists = 'The workspace already has a saved view with this `name`';

export const savedViewRoutes = {
  listSavedViews: defineRoute({
    method: 'GET',
    paths: all,
    tag,
    summary: 'List the saved views of messages, sorted by name',
    query: pagingQuery,
    response: { status: 200, schema: savedViewList },
  }),

  addSavedView: defineRoute({
    method: 'POST',
    paths: all,
    tag,
    summary: 'Save the filters of messages as a view',
    description: 'All members of the workspace share its views.',
    body: addSavedViewRequest,
    response: { status: 201, schema: savedView },
    errors: {
      already_exists: nameExists,
      quota_exceeded: quotaExceeded(QUOTAS.savedViewsPerWorkspace, 'saved views per workspace')
        .message,
    },
  }),

  changeSavedView: defineRoute({
    method: 'PATCH',
    paths: one,
    tag,
    summary: 'Change a saved view',
    description:
      'A parameter that is absent keeps its value. `filters` replaces all stored filters.',
    body: changeSavedViewRequest,
    response: { status: 200, schema: savedView },
    errors: { not_found: noSuchView, already_exists: nameExists },
  }),

  removeSavedView: defineRoute({
    method: 'DELETE',
    paths: one,
    tag,
    summary: 'Delete a saved view',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchView },
  }),
};
