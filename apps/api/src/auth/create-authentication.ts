import type { Endpoint, Route } from '@switchboard/contracts';
import type { WorkspaceStore } from '@switchboard/database';
import type { RateLimit } from '@switchboard/rate-limits';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ApiKeyCheck } from './check-api-key.ts';
import { countRequest } from './count-request.ts';
import { createRequireMember, requireOwner, requireOwnerOrSelf } from './require-member.ts';

export interface AuthenticationOptions {
  keys: ApiKeyCheck;
  requireSession: onRequestAsyncHookHandler;
  workspaces: Pick<WorkspaceStore, 'findAccess'>;
  /** For all API keys of a workspace together, and for the sends of its members. */
  workspaceLimit: Pick<RateLimit, 'count'>;
  /** For the requests of a workspace, and of a user in all workspaces, that call providers. */
  providerCallLimit: Pick<RateLimit, 'count'>;
}

export type Authentication = ReturnType<typeof createAuthentication>;

/** Decides, from the definition of a route, who may call it. */
export function createAuthentication(options: AuthenticationOptions) {
  const { keys, requireSession, workspaceLimit, providerCallLimit } = options;
  const requireMember = createRequireMember(options.workspaces);

  /** Runs after the membership check, so that only members use up the limit of a workspace. */
  const countForWorkspace: onRequestAsyncHookHandler = ({ membership }, reply) =>
    countRequest(workspaceLimit, { client: membership.workspaceId }, reply);

  /** Lists the hooks that check credential, rate limits, membership and role, in this order. */
  function listHooks({ credential, path, route }: Endpoint): onRequestAsyncHookHandler[] {
    if (credential === 'api_key') {
      return [route.checksApiKey === 'in_handler' ? keys.admitKnown : keys.require];
    }
    if (credential !== 'session') return [];
    const hooks = [requireSession];
    if (path.includes('{workspaceId}')) hooks.push(requireMember);
    if (route.rateLimit === 'sends') hooks.push(countForWorkspace);
    if (route.role === 'owner') hooks.push(requireOwner);
    if (route.role === 'owner_or_self') hooks.push(requireOwnerOrSelf);
    return hooks;
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

  return { keys, listHooks, countParsed };
}
