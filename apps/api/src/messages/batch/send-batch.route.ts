import { routes } from '@switchboard/contracts';
import type { Authentication } from '../../auth/create-authentication.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { parseIdempotencyKey } from '../idempotency.ts';
import type { createRunOnce } from './batch-keys.ts';
import { createBatchSlots } from './batch-slots.ts';
import { planBatch } from './plan-batch.ts';
import type { StoreBatch } from './store-batch.ts';

export interface BatchRouteDependencies {
  authentication: Pick<Authentication, 'countBatch'>;
  runBatchOnce: ReturnType<typeof createRunOnce>;
  storeBatch: StoreBatch;
}

export function registerBatchRoute(
  registerRoute: RegisterRoute,
  { authentication, runBatchOnce, storeBatch }: BatchRouteDependencies,
): void {
  const slots = createBatchSlots();

  registerRoute(routes.sendBatch, {
    async onRequest({ workspaceId, request, reply }) {
      slots.enter(workspaceId, request, reply);
    },

    handle: ({ workspaceId, actor, body: batch, request, reply, log }) =>
      slots.run(request, async () => {
        const key = parseIdempotencyKey(request.raw);
        // A key of a send is the same in a batch and in the header of a single send.
        const route = (request.routeOptions.url ?? '').replace(/\/batch$/, '');
        const plan = await planBatch(batch, route);
        const run = async (isContinued: boolean) => {
          const { admitted, refusal } = isContinued
            ? { admitted: batch.count, refusal: null }
            : await authentication.countBatch(request, batch.count, reply);
          return storeBatch({
            workspaceId,
            actor,
            requestId: request.id,
            traceParent: request.span?.traceParent ?? null,
            route,
            sends: plan.sends.map((send, index) =>
              index < admitted || refusal === null ? send : refusal,
            ),
            batchKey: key,
            onFailed: (error, count) =>
              log.error({ err: error, error_code: error.code, count }, 'sends of a batch failed'),
          });
        };
        if (key === null) return (await run(false)).response;
        const { fingerprint } = plan;
        const { response, replayed } = await runBatchOnce({ workspaceId, key, fingerprint }, run);
        if (replayed) reply.header('idempotent-replayed', 'true');
        return response;
      }),
  });
}
