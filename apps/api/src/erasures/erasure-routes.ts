import { type Erasure, refuse, routes } from '@switchboard/contracts';
import { type Clock, createUuidV7 } from '@switchboard/core';
import type { ErasureStore, StoredErasure } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';

export function registerErasureRoutes(
  registerRoute: RegisterRoute,
  { erasures, clock }: { erasures: ErasureStore; clock: Clock },
): void {
  registerRoute(routes.erasePerson, async ({ workspaceId, actor, params }) => {
    const id = createUuidV7(clock.now());
    const requested = await erasures.request(workspaceId, id, params.number, actor);
    if (requested.kind === 'own_number') throw refuse(routes.erasePerson, 'invalid_params');
    if (requested.kind === 'quota_exceeded') throw refuse(routes.erasePerson, 'quota_exceeded');
    return toErasure(requested.erasure);
  });

  registerRoute(routes.listErasures, ({ workspaceId, query }) =>
    respondWithPage(query, (page) => erasures.list(workspaceId, page), toErasure),
  );

  registerRoute(routes.getErasure, async ({ workspaceId, params }) => {
    const erasure = await erasures.find(workspaceId, params.erasureId);
    if (erasure === null) throw refuse(routes.getErasure, 'not_found');
    return toErasure(erasure);
  });
}

function toErasure(stored: StoredErasure): Erasure {
  const { id, requestedAt, erasedAt, total, erased, canceled, waiting } = stored;
  return {
    id,
    state: erasedAt === null ? 'erasing' : stored.redactPending > 0 ? 'redacting' : 'finished',
    requested_at: requestedAt.toISOString(),
    erased_at: erasedAt?.toISOString() ?? null,
    messages: { total, erased, canceled, waiting },
    provider_copies: {
      pending: stored.redactPending,
      removed: stored.redacted,
      failed: stored.redactFailed,
      kept: stored.redactUnable,
    },
  };
}
