import { refuse, routes } from '@switchboard/contracts';
import { QUOTAS } from '@switchboard/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createWorkspaceSlots } from '../../workspace-slots.ts';

/** Limits how many batches of a workspace are in the memory of this process at the same time. */
export function createBatchSlots() {
  const slots = createWorkspaceSlots(QUOTAS.batchesPerWorkspace);
  const running = new WeakMap<FastifyRequest, Promise<unknown>>();

  return {
    /** Takes a slot before the body is read. Throws if the quota is used up. */
    enter(workspaceId: string, request: FastifyRequest, reply: FastifyReply): void {
      if (!slots.enter(workspaceId)) throw refuse(routes.sendBatch, 'quota_exceeded');
      const leave = () => slots.leave(workspaceId);
      // A batch whose client has disconnected keeps its slot until it is stored.
      reply.raw.once('close', () => {
        (running.get(request) ?? Promise.resolve()).then(leave, leave);
      });
    },

    run<Result>(request: FastifyRequest, task: () => Promise<Result>): Promise<Result> {
      const result = task();
      running.set(request, result);
      return result;
    },
  };
}
