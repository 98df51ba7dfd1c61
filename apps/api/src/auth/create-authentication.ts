import { type Endpoint, type Route, permissionOf } from '@switchboard/contracts';
import type { WorkspaceStore } from '@switchboard/database';
import type { RateLimit } from '@switchboard/rate-limits';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeyCheck } from './check-api-key.ts';
import { type CountedSends, countRequest, countSends } from './count-request.ts';
import {
  createRequireMember,
  createRequirePermission,
  createTestModeRule,
  requireManagerOrSelf,
} from './require-member.ts';
import { createRequireScope } from './require-scope.ts';

export interface AuthenticationOptions {
  keys: ApiKeyCheck;
  requireSession: onRequestAsyncHookHandler;
  workspaces: Pick<WorkspaceStore, 'findAccess'>;
  /** For each API key, and for each workspace across all its keys. */
  keyLimit: Pick<RateLimit, 'count'>;
  /** For all API keys of a workspace together, and for the sends of its members. */
  workspaceLimit: Pick<RateLimit, 'count'>;
  /** For the requests of a workspace, and of a user in all workspaces, that call providers. */
  providerCallLimit: Pick<RateLimit, 'count'>;
}

export type Authentication = ReturnType<typeof createAuthentication>;

/** Decides, from the definition of a route, who may call it. */
export function createAuthentication(options: AuthenticationOptions) {
  const { keys, requireSession, keyLimit, workspaceLimit, providerCallLimit } = options;
  const requireMember = createRequireMember(options.workspaces);

  /** Runs after the membership check, so that only members use up the limit of a workspace. */
  const countForWorkspace: onRequestAsyncHookHandler = ({ membership }, reply) =>
    countRequest(workspaceLimit, { client: membership.workspaceId }, reply);

  /**
   * Lists the hooks that check credential, rate limits, membership, and the permission of the role or the scope
   * of the key, in this order.
   */
  function listHooks(endpoint: Endpoint): onRequestAsyncHookHandler[] {
    const { credential, path, route } = endpoint;
    if (credential === 'api_key') {
      const check = route.checksApiKey === 'in_handler' ? keys.admitKnown : keys.require;
      return [check, ...createRequireScope(endpoint)];
    }
    if (credential !== 'session') return [];
    if (!path.includes('{workspaceId}')) return [requireSession];
    const permission = permissionOf(route);
    return [
      requireSession,
      requireMember,
      ...(route.rateLimit === 'sends' ? [countForWorkspace] : []),
      permission === 'manage_or_self' ? requireManagerOrSelf : createRequirePermission(permission),
      ...createTestModeRule(route.testMode),
    ];
  }

  /** Runs after the body has been parsed: a request with an error calls no provider. */
  async function countParsed(
    { rateLimit }: Route,
    { membership, session }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (rateLimit !== 'provider_calls') return;
    const client = { client: membership.workspaceId, group: session.user.id };
    await countRequest(providerCallLimit, client, reply);
  }

  /** Counts each send of a batch where a single send counts. */
  function countBatch(
    { apiKey, membership }: Partial<Pick<FastifyRequest, 'apiKey' | 'membership'>>,
    sends: number,
    reply: FastifyReply,
  ): Promise<CountedSends> {
    return apiKey === undefined
      ? countSends(workspaceLimit, { client: membership?.workspaceId ?? '' }, sends, reply)
      : countSends(keyLimit, { client: apiKey.id, group: apiKey.workspaceId }, sends, reply);
  }

  return { keys, listHooks, countParsed, countBatch };
}
