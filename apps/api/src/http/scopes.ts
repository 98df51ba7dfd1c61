import type { Actor } from '@switchboard/database';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { apiKeyOf, userOf } from './actor.ts';
import type { Credentials } from './credentials.ts';

/** One of the two ways to the same routes. */
export interface Scope {
  prefix: string;
  onRequest: onRequestAsyncHookHandler[];
  workspaceOf(request: FastifyRequest): string;
  actorOf(request: FastifyRequest): Actor;
}

/** Programs act in their key's workspace, people in the one that the path names. */
export function createScopes(
  credentials: Credentials,
  requireMember: onRequestAsyncHookHandler,
): Scope[] {
  return [
    {
      prefix: '/api',
      onRequest: [credentials.requireApiKey],
      workspaceOf: (request) => request.apiKey.workspaceId,
      actorOf: apiKeyOf,
    },
    {
      prefix: '/api/ui/workspaces/:workspaceId',
      onRequest: [credentials.requireSession, requireMember],
      workspaceOf: (request) => request.membership.workspaceId,
      actorOf: userOf,
    },
  ];
}
