import type { IncomingMessage } from 'node:http';
import { HEARTBEAT_SECONDS, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock } from '@switchboard/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RegisterRoute } from '../http/register-route.ts';
import type { Access } from './connection.ts';
import { parseCursor } from './cursor.ts';
import type { Hub, Joining } from './hub.ts';
import { limitReceived } from './limit-received.ts';
import { createAssertOwnOrigin } from './own-origin.ts';
import type { TypingFrames } from './typing-frames.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before an upgrade: how the client joins the hub. */
    joining: Joining;
  }
}

export interface EventRoutesDependencies {
  hub: Pick<Hub, 'findCurrent' | 'assertCapacity' | 'add'>;
  typingFrames: Pick<TypingFrames, 'follow'>;
  clock: Pick<Clock, 'monotonic'>;
  /** The public URL; pages of the dashboard have its origin. */
  publicUrl: string;
}

/** The paths of the routes, as a raw request has them. No other path can be upgraded. */
export const EVENTS_PATH = /^\/api\/(ui\/workspaces\/[^/?]+\/)?events(\?|$)/;

/** The headers for the 101 response to a request that is about to be upgraded. */
export const upgradeHeaders = new WeakMap<IncomingMessage, Record<string, string>>();

/**
 * Registers the WebSocket routes; `registerWebsocket` must have run on the same app before. A refused
 * upgrade is answered like any request, because the upgrade happens after the last hook.
 */
export function registerEventRoutes(
  app: FastifyInstance,
  registerRoute: RegisterRoute,
  { hub, typingFrames, clock, publicUrl }: EventRoutesDependencies,
): void {
  const assertOwnOrigin = createAssertOwnOrigin(publicUrl);
  app.decorateRequest('joining');

  registerRoute(routes.followEvents, {
    async onRequest({ workspaceId, request, reply }) {
      assertOwnOrigin(request);
      const access = readAccess(request);
      const resume = parseResume(request, workspaceId);
      const heartbeatMs = parseHeartbeat(request);
      const current = await hub.findCurrent(workspaceId);
      const stream = request.raw.socket;
      request.joining = { workspaceId, access, stream, current, resume, heartbeatMs };
      upgradeHeaders.set(request.raw, pickOwnHeaders(reply));
    },
    // Synchronous and immediately before the upgrade, so that the count of sockets is still
    // correct.
    beforeUpgrade: ({ joining }) => hub.assertCapacity(joining),
    onSocket(socket, request) {
      const connection = hub.add(socket, request.joining);
      limitReceived(connection, clock);
      if (request.apiKey === undefined) typingFrames.follow(connection, request.session.user);
    },
    handle: () => {
      throw refuse(routes.followEvents, 'not_found');
    },
  });
}

function readAccess({ apiKey, session, membership }: FastifyRequest): Access {
  if (apiKey !== undefined) {
    const { id, version, endsAt } = apiKey;
    const expiresAt = endsAt?.getTime() ?? Infinity;
    return { kind: 'api_key', apiKeyId: id, keyVersion: version, expiresAt };
  }
  const { id, user, expiresAt } = session;
  return {
    kind: 'session',
    sessionId: id,
    userId: user.id,
    role: membership.role,
    expiresAt: expiresAt.getTime(),
  };
}

function parseResume(request: FastifyRequest, workspaceId: string): Joining['resume'] {
  const { cursor } = request.query as { cursor?: string | string[] };
  if (cursor === undefined || cursor === '') return null;
  const start = typeof cursor === 'string' ? parseCursor(workspaceId, cursor) : null;
  if (start === null || typeof cursor !== 'string') {
    throw new AppError('invalid_params', '`cursor` must be a cursor of this workspace’s events');
  }
  return { cursor, start };
}

function parseHeartbeat(request: FastifyRequest): number | null {
  const { heartbeat } = request.query as { heartbeat?: string | string[] };
  if (heartbeat === undefined || heartbeat === '') return null;
  const { min, max } = HEARTBEAT_SECONDS;
  const seconds =
    typeof heartbeat === 'string' && /^\d{1,3}$/.test(heartbeat) ? Number(heartbeat) : 0;
  if (seconds < min || seconds > max) {
    throw new AppError(
      'invalid_params',
      `\`heartbeat\` must be a whole number of seconds from ${min} to ${max}`,
    );
  }
  return seconds * 1_000;
}

function pickOwnHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders())
      .filter(([name]) => name.startsWith('x-'))
      .map(([name, value]) => [name, String(value)]),
  );
}
