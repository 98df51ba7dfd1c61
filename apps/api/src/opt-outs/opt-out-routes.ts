import { MANUAL_OPT_OUT, type OptOut, OK, refuse, routes } from '@switchboard/contracts';
import { type Clock, ERASED, type EventBus, subscriberForms } from '@switchboard/core';
import type { OptOutStore, StoredOptOut } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface OptOutRouteDependencies {
  optOuts: OptOutStore;
  clock: Clock;
  publishLater: EventBus['publishLater'];
}

export function registerOptOutRoutes(
  registerRoute: RegisterRoute,
  { optOuts, clock, publishLater }: OptOutRouteDependencies,
): void {
  function publish(workspaceId: string, changed: string): void {
    for (const number of subscriberForms(changed)) {
      publishLater({ kind: 'inbox', workspaceId, number, noteId: null });
    }
  }

  registerRoute(routes.listOptOuts, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => optOuts.list(workspaceId, page), toOptOut),
  );

  registerRoute(routes.addOptOut, async ({ workspaceId, actor, body }) => {
    const { number, reason = MANUAL_OPT_OUT } = body;
    const optOut = { number, reason, createdAt: new Date(clock.now()) };
    const added = await optOuts.add(workspaceId, optOut, actor);
    if (added === 'exists') throw refuse(routes.addOptOut, 'already_exists');
    if (added === 'quota_exceeded') throw refuse(routes.addOptOut, 'quota_exceeded');
    publish(workspaceId, number);
    return toOptOut(added);
  });

  registerRoute(routes.removeOptOut, async ({ workspaceId, actor, params }) => {
    const removed = await optOuts.remove(workspaceId, params.number, actor);
    if (!removed) throw refuse(routes.removeOptOut, 'not_found');
    publish(workspaceId, params.number);
    return OK;
  });
}

function toOptOut({ number, reason, createdAt, isErased }: StoredOptOut): OptOut {
  return { number: isErased ? ERASED : number, reason, created_at: createdAt.toISOString() };
}
