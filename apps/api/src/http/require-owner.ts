import { AppError } from '@switchboard/core';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

/** Lets in the owners of the workspace; comes after `requireMember`. */
export const requireOwner: onRequestAsyncHookHandler = async (request) => assertOwner(request);

export function assertOwner(request: Pick<FastifyRequest, 'membership'>): void {
  if (request.membership.role !== 'owner') {
    throw new AppError(
      'forbidden',
      'Insufficient permissions for the resource: only an owner may do this',
    );
  }
}
