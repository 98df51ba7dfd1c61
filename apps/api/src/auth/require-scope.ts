import { type Endpoint, describeForbidden } from '@switchboard/contracts';
import { AppError, hasScope } from '@switchboard/core';
import type { onRequestAsyncHookHandler } from 'fastify';

/**
 * Creates the hook that accepts only API keys with the scope of the route; runs after the check of the key. A
 * route that every key may use has none.
 *
 * @throws Error for a route without a scope, so that it cannot be registered.
 */
export function createRequireScope({
  key,
  route: { scope },
}: Pick<Endpoint, 'key' | 'route'>): onRequestAsyncHookHandler[] {
  if (scope === undefined) throw new Error(`${key} accepts API keys, but names no scope`);
  if (scope === 'any') return [];
  return [
    async ({ apiKey }) => {
      if (hasScope(apiKey.scopes, scope)) return;
      throw new AppError('forbidden', describeForbidden.scope(scope));
    },
  ];
}
