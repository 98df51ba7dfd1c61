import type { IncomingMessage } from 'node:http';
import { AppError } from '@switchboard/core';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import type { Access } from './connection.ts';
import { parseCursor } from './cursor.ts';
import type { Hub, Joining } from './hub.ts';
import { createAssertOwnOrigin } from './own-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the way to an upgrade: how the client joins the hub. */
    joining: Joining;
  }
}

export interface EventRoutesDependencies {
  hub: Pick<Hub, 'findCurrent' | 'assertRoom' | 'add'>;
  credentials: Pick<Credentials, 'requireApiKey' | 'requireSession'>;
  requireMember: onRequestAsyncHookHandler;
  /** Its origin is where the dashboard's pages come from. */
  publicUrl: string;
}

/** The paths below, as a raw request has them; nothing else can be upgraded. */
export const EVENTS_PATH = /^\/api\/(ui\/workspaces\/[^/?]+\/)?events(\?|$)/;

/** Answer headers of requests that are about to be upgraded, for the 101. */
export const upgradeHeaders = new WeakMap<IncomingMessage, Record<string, string>>();

/**
 * The two addresses that speak WebSocket. `registerWebsocket` must have been awaited on the same
 * app before. A refused upgrade is answered like any request: nothing is upgraded before the
 * last hook has passed.
 */
export function registerEventRoutes(
  app: FastifyInstance,
  { hub, credentials, requireMember, publicUrl }: EventRoutesDependencies,
): void {
  const assertOwnOrigin = createAssertOwnOrigin(publicUrl);
  const shared = {
    method: 'GET',
    exposeHeadRoute: false,
    // In the same turn as the upgrade, so that what it allows still holds.
    preHandler: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      hub.assertRoom(request.joining);
      done();
    },
    handler: () => {
      throw upgradeRequired();
    },
  } as const;

  app.decorateRequest('joining');

  app.route({
    ...shared,
    url: '/api/events',
    onRequest: [assertUpgrade, credentials.requireApiKey, assertOwnOrigin, prepareJoin],
    wsHandler: (socket, request) => hub.add(socket, request.joining),
  });

  app.route({
    ...shared,
    url: '/api/ui/workspaces/:workspaceId/events',
    onRequest: [
      assertUpgrade,
      credentials.requireSession,
      requireMember,
      assertOwnOrigin,
      prepareJoin,
    ],
    wsHandler: (socket, request) => hub.add(socket, request.joining),
  });

  async function prepareJoin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { workspaceId, access } = findAccess(request);
    const resume = parseResume(request, workspaceId);
    const current = await hub.findCurrent(workspaceId);
    request.joining = { workspaceId, access, line: request.raw.socket, current, resume };
    upgradeHeaders.set(request.raw, pickOwnHeaders(reply));
  }
}

async function assertUpgrade(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!request.ws) throw upgradeRequired();
  // A refusal ends the connection: its parser is gone.
  reply.header('connection', 'close');
}

function upgradeRequired(): AppError {
  return new AppError('not_found', 'No such route: this address speaks WebSocket only');
}

function findAccess(request: FastifyRequest): { workspaceId: string; access: Access } {
  // Each route has required one of the two.
  if (request.apiKey !== undefined) {
    const { id, workspaceId } = request.apiKey;
    return { workspaceId, access: { kind: 'api_key', apiKeyId: id } };
  }
  const { id, user, expiresAt } = request.session;
  return {
    workspaceId: request.membership.workspaceId,
    access: { kind: 'session', sessionId: id, userId: user.id, expiresAt: expiresAt.getTime() },
  };
}

function parseResume(request: FastifyRequest, workspaceId: string): Joining['resume'] {
  const { cursor } = request.query as { cursor?: string | string[] };
  if (cursor === undefined || cursor === '') return null;
  const place = typeof cursor === 'string' ? parseCursor(workspaceId, cursor) : null;
  if (place === null || typeof cursor !== 'string') {
    throw new AppError('invalid_params', '`cursor` must be a cursor of this workspace’s events');
  }
  return { cursor, place };
}

function pickOwnHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders())
      .filter(([name]) => name.startsWith('x-'))
      .map(([name, value]) => [name, String(value)]),
  );
}
