import { AppError } from '@switchboard/core';
import type { onRequestAsyncHookHandler } from 'fastify';

/** Lets in the owners of the workspace; comes after `requireMember`. */
export const requireOwner: onRequestAsyncHookHandler = async (request) => {
  if (request.membership.role !== 'owner') {
    throw new AppError(
      'forbidden',
      'Insufficient permissions for the resource: only an owner may do this',
    );
  }
};
