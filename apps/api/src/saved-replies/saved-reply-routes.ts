import { OK, type SavedReply, refuse, routes } from '@switchboard/contracts';
import type { Clock } from '@switchboard/core';
import type { SavedReplyStore, StoredSavedReply } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export interface SavedReplyRouteDependencies {
  savedReplies: SavedReplyStore;
  clock: Clock;
}

export function registerSavedReplyRoutes(
  registerRoute: RegisterRoute,
  { savedReplies, clock }: SavedReplyRouteDependencies,
): void {
  registerRoute(routes.listSavedReplies, ({ workspaceId, query }) =>
    respondWithPage(
      query,
      (page) => savedReplies.list(workspaceId, query.search, page),
      toSavedReply,
    ),
  );

  registerRoute(routes.addSavedReply, async ({ workspaceId, actor, body }) => {
    const at = new Date(clock.now());
    const added = await savedReplies.create(workspaceId, body, at, actor);
    if (added === 'exists') throw refuse(routes.addSavedReply, 'already_exists');
    if (added === 'quota_exceeded') throw refuse(routes.addSavedReply, 'quota_exceeded');
    return toSavedReply(added);
  });

  registerRoute(routes.changeSavedReply, async ({ workspaceId, actor, params, body }) => {
    const { name, body: text } = body;
    const change = {
      ...(name !== undefined && { name }),
      ...(text !== undefined && { body: text }),
    };
    const at = new Date(clock.now());
    const changed = await savedReplies.update(workspaceId, params.replyId, change, at, actor);
    if (changed === 'missing') throw refuse(routes.changeSavedReply, 'not_found');
    if (changed === 'exists') throw refuse(routes.changeSavedReply, 'already_exists');
    return toSavedReply(changed);
  });

  registerRoute(routes.removeSavedReply, async ({ workspaceId, actor, params }) => {
    const removed = await savedReplies.remove(workspaceId, params.replyId, actor);
    if (!removed) throw refuse(routes.removeSavedReply, 'not_found');
    return OK;
  });
}

function toSavedReply({ id, name, body, createdAt, updatedAt }: StoredSavedReply): SavedReply {
  return {
    id,
    name,
    body,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
