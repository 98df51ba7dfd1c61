import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventFrame, eventFrame } from '@switchboard/contracts';
import {
  type BusNotification,
  type EventBus,
  createDispatchPolicy,
  createUuidV7,
  decideDirectEvidence,
  type MessageStatus,
} from '@switchboard/core';
import {
  createApiKeyStore,
  createDatabase,
  createMessageEventStore,
  createMessageStore,
  createReadActiveAccess,
  createSessionStore,
  createWorkspaceStore,
} from '@switchboard/database';
import { createEventBus } from '@switchboard/events';
import { createRateLimits } from '@switchboard/rate-limits';
import { createTestDatabase, createWorkspaceFixture } from '@switchboard/testing';
import { type FastifyHttpOptions, fastify } from 'fastify';
import { type ClientOptions, WebSocket } from 'ws';
import { createApiKeyCheck } from '../src/auth/check-api-key.ts';
import { createRequireSession } from '../src/auth/check-session.ts';
import { createAuthentication } from '../src/auth/create-authentication.ts';
import { registerEventRoutes } from '../src/events/event-routes.ts';
import { createTypingFrames } from '../src/events/typing-frames.ts';
import { type Hub, type HubOptions, createHub } from '../src/events/hub.ts';
import { registerWebsocket } from '../src/events/register-websocket.ts';
import { handleErrors } from '../src/http/handle-errors.ts';
import { createRegisterRoute } from '../src/http/register-route.ts';
import { type EventClient, createEventClient } from './event-client.ts';

const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const policy = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });

/** A user with a workspace, a session and an API key. */
export interface Tenant {
  workspaceId: string;
  userId: string;
  sessionId: string;
  token: string;
  apiKeyId: string;
  key: string;
}

export interface Server {
  hub: Hub;
  bus: EventBus;
  /** Returns the WebSocket URL of the tenant's events for a session. */
  uiUrl(tenant: Tenant, query?: string): string;
  url: string;
  close(): Promise<void>;
}

export type Environment = Awaited<ReturnType<typeof createEnvironment>>;

/** Creates stores on a database, and servers with the event routes on an event bus. */
export async function createEnvironment(options: { redisUrl: string | null; channel: string }) {
  const testDatabase = await createTestDatabase();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const database = createDatabase({
    url: testDatabase.url,
    poolSize: 6,
    applicationName: 'events-test',
    connectTimeoutMs: 60_000, // A busy machine takes seconds to start a connection.
    onError,
  });
  const sessions = createSessionStore(database);
  const apiKeys = createApiKeyStore(database);
  const workspaces = createWorkspaceStore(database);
  const messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const events = createMessageEventStore(database);
  const limits = createRateLimits({
    redisUrl: null,
    pool: database.pool,
    timeoutMs: 20_000,
    onError,
  });
  const limit = limits.createLimit({ name: 'test', requests: 1_000_000, windowSeconds: 60 });
  const authentication = createAuthentication({
    keys: createApiKeyCheck({ apiKeys, recordUseLater: () => undefined, limit, clock }),
    requireSession: createRequireSession({ sessions, limit }),
    workspaces,
    keyLimit: limit,
    workspaceLimit: limit,
    providerCallLimit: limit,
  });
  const servers: Server[] = [];
  const clients: EventClient[] = [];

  return {
    database,
    events,
    errors,

    async createTenant(): Promise<Tenant> {
      const fixture = await createWorkspaceFixture(testDatabase.url, { provider: false });
      return { ...fixture, token: fixture.sessionToken, key: fixture.apiKey };
    },

    async startServer(
      settings: Partial<HubOptions> & { http?: FastifyHttpOptions<HttpServer> } = {},
    ): Promise<Server> {
      const { http = {}, ...hubOptions } = settings;
      const bus = createEventBus({
        ...options,
        databaseUrl: testDatabase.url,
        timeoutMs: 20_000,
        onError,
      });
      const hub = createHub({
        events,
        bus,
        readActiveAccess: createReadActiveAccess(database),
        clock,
        onError,
        socketQuotas: { key: Infinity, user: Infinity, workspace: Infinity },
        ...hubOptions,
      });
      const app = fastify(http);
      app.addHook('onRequest', async (request, reply) => {
        reply.header('x-request-id', request.id);
      });
      await registerWebsocket(app, hub);
      handleErrors(app);
      app.post('/api/echo', async (request) => ({ echo: request.body }));
      const registerRoute = createRegisterRoute(app, authentication);
      const typingFrames = createTypingFrames({ bus, hub, clock });
      const publicUrl = 'https://dashboard.example';
      registerEventRoutes(app, registerRoute, { hub, typingFrames, clock, publicUrl });
      await app.listen({ host: '127.0.0.1', port: 0 });
      await until(() =>
        bus.ping().then(
          () => true,
          () => false,
        ),
      );
      const address = `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
      const server: Server = {
        hub,
        bus,
        url: `${address}/api/events`,
        uiUrl: ({ workspaceId }, query = '') =>
          `${address}/api/ui/workspaces/${workspaceId}/events${query}`,
        async close() {
          await app.close();
          await bus.close();
        },
      };
      servers.push(server);
      return server;
    },

    connect(url: string, credential: string, settings: ClientOptions = {}): EventClient {
      const headers = { authorization: `Bearer ${credential}`, ...settings.headers };
      const client = createEventClient(new WebSocket(url, { ...settings, headers }));
      clients.push(client);
      return client;
    },

    /** Stores messages of the tenant and publishes them on the bus, if one is given. */
    async accept(tenant: Tenant, count: number, bus?: EventBus, body = 'hello'): Promise<string[]> {
      const ids = Array.from({ length: count }, () => createUuidV7(Date.now()));
      const results = await Promise.all(
        ids.map((id) =>
          messages.accept({
            id,
            createdAt: new Date(),
            workspaceId: tenant.workspaceId,
            to: '+15005550006',
            from: null,
            body,
            media: [],
            segments: 1,
            scheduledAt: null,
            requestId: 'r',
            idempotency: null,
          }),
        ),
      );
      const notifications = results.map((result, index): BusNotification => {
        if (result.kind !== 'stored') throw new Error('not stored');
        const messageId = ids[index] ?? '';
        return { kind: 'message', workspaceId: tenant.workspaceId, messageId, seq: result.seq };
      });
      await bus?.publish(notifications);
      return ids;
    },

    /** Applies a status callback of the provider. */
    async advance(messageId: string, status: MessageStatus, bus?: EventBus): Promise<void> {
      const key = await database.prisma.messageRecord.findFirst({ where: { id: messageId } });
      const row = key === null ? null : await messages.readRow(key);
      if (row === null) throw new Error('no such message');
      const account = await database.prisma.providerAccount.findFirst({
        where: { workspaceId: row.workspaceId },
      });
      const { change } = decideDirectEvidence(
        row,
        {
          sid: `SM${messageId.replaceAll('-', '')}`,
          providerId: account?.id ?? randomUUID(),
          vendorAccountId: 'AC1',
          status,
          rawStatus: status,
          from: '+15005550001',
          errorCode: null,
          errorDetail: null,
          isOptOut: false,
        },
        policy,
        'callback',
      );
      const result = change === null ? null : await messages.apply(change);
      if (result?.kind !== 'applied' || result.seq === null) throw new Error('nothing changed');
      const { workspaceId, seq } = result;
      await bus?.publish([{ kind: 'message', workspaceId, messageId, seq }]);
    },

    async close(): Promise<void> {
      for (const client of clients) client.socket.terminate();
      for (const server of servers) await server.close();
      await limits.close();
      await database.close();
      await testDatabase.drop();
    },
  };
}

/** Waits without a limit: the timeout of the test applies. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(5);
}

/** Returns the event frames, each validated against the contract. */
export function eventsOf(frames: readonly EventFrame[]) {
  return frames
    .map((frame) => eventFrame.parse(frame))
    .filter((frame) => frame.type !== 'ready' && frame.type !== 'resync');
}

export function cursorOf(frame: EventFrame | undefined): string {
  if (frame === undefined) throw new Error('no frame');
  return frame.cursor;
}
