import { MANUAL_OPT_OUT, type OptOut, addOptOutRequest, parseBody } from '@switchboard/contracts';
import { AppError, type Clock, QUOTAS, isPhoneNumber, quotaExceeded } from '@switchboard/core';
import type { OptOutStore, StoredOptOut } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';
import { answerPage } from '../wire/answer-page.ts';

export interface OptOutRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  optOuts: OptOutStore;
  clock: Clock;
}

export function registerOptOutRoutes(
  app: FastifyInstance,
  { credentials, requireMember, optOuts, clock }: OptOutRouteDependencies,
): void {
  const prefix = '/api/ui/workspaces/:workspaceId/opt-outs';
  const onRequest = [credentials.requireSession, requireMember];

  app.get(prefix, { onRequest }, (request) =>
    answerPage(request, (page) => optOuts.list(request.membership.workspaceId, page), toOptOut),
  );

  app.post(prefix, { onRequest }, async (request, reply) => {
    const { number, reason = MANUAL_OPT_OUT } = parseBody(addOptOutRequest, request.body);
    const optOut = { number, reason, createdAt: new Date(clock.now()) };
    const added = await optOuts.add(request.membership.workspaceId, optOut, userOf(request));
    if (added === 'exists') {
      throw new AppError('already_exists', '`number` has opted out already');
    }
    if (added === 'quota_exceeded') {
      throw quotaExceeded(QUOTAS.addedOptOutsPerWorkspace, 'opt-outs added by users');
    }
    return reply.code(201).send(toOptOut(added));
  });

  app.delete<{ Params: { number: string } }>(
    `${prefix}/:number`,
    { onRequest },
    async (request) => {
      const { number } = request.params;
      const { workspaceId } = request.membership;
      const removed =
        isPhoneNumber(number) && (await optOuts.remove(workspaceId, number, userOf(request)));
      if (!removed) throw new AppError('not_found', 'No such opt-out');
      return { ok: true };
    },
  );
}

function toOptOut({ number, reason, createdAt }: StoredOptOut): OptOut {
  return { number, reason, created_at: createdAt.toISOString() };
}
