import { OK, type SavedView, refuse, routes } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { SavedViewStore, StoredSavedView } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { withoutUndefined } from '../wire/without-undefined.ts';

export interface SavedViewRouteDependencies {
  savedViews: SavedViewStore;
  clock: Clock;
}

export function registerSavedViewRoutes(
  registerRoute: RegisterRoute,
  { savedViews, clock }: SavedViewRouteDependencies,
): void {
  registerRoute(routes.listSavedViews, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => savedViews.list(workspaceId, page), toSavedView),
  );

  registerRoute(routes.addSavedView, async ({ workspaceId, body }) => {
    const view = { name: body.name, filters: withoutUndefined(body.filters) };
    const added = await savedViews.create(workspaceId, view, new Date(clock.now()));
    if (added === 'exists') throw refuse(routes.addSavedView, 'already_exists');
    if (added === 'quota_exceeded') throw refuse(routes.addSavedView, 'quota_exceeded');
    return toSavedView(added);
  });

  registerRoute(routes.changeSavedView, async ({ workspaceId, params, body }) => {
    const { name, filters } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(filters !== undefined && { filters: withoutUndefined(filters) }),
    };
    const at = new Date(clock.now());
    const changed = await savedViews.update(workspaceId, params.viewId, change, at);
    if (changed === 'missing') throw refuse(routes.changeSavedView, 'not_found');
    if (changed === 'exists') throw refuse(routes.changeSavedView, 'already_exists');
    return toSavedView(changed);
  });

  registerRoute(routes.removeSavedView, async ({ workspaceId, params }) => {
    const removed = await savedViews.remove(workspaceId, params.viewId);
    if (!removed) throw refuse(routes.removeSavedView, 'not_found');
    return OK;
  });
}

function toSavedView({ id, name, filters, createdAt, updatedAt }: StoredSavedView): SavedView {
  return {
    id,
    name,
    filters,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
