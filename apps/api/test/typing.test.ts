import { once } from 'node:events';
import type { ClientFrame, EventFrame, InboxFrame } from '@switchboard/contracts';
import type { Role } from '@switchboard/core';
import { EVENTUALLY, type TestRedis, createTestRedis } from '@switchboard/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EventClient } from './event-client.ts';
import {
  type Environment,
  type Server,
  type Tenant,
  createEnvironment,
} from './events-environment.ts';

type Frame = EventFrame | InboxFrame;

const THEM = '+14155550123';
const OTHER = '+14155550124';

describe.each(['PostgreSQL', 'Redis'])('typing, with the bus on %s', (backend) => {
  let redis: TestRedis | undefined;
  let environment: Environment;
  let server: Server;
  let elsewhere: Server;
  let tenant: Tenant;
  let colleague: { id: string; token: string };

  beforeAll(async () => {
    redis = backend === 'Redis' ? await createTestRedis() : undefined;
    environment = await createEnvironment({
      redisUrl: redis?.url ?? null,
      channel: `${redis?.prefix ?? 'test'}-typing`,
    });
    server = await environment.startServer();
    elsewhere = await environment.startServer();
  });
  afterAll(async () => {
    await environment.close();
    await redis?.close();
  });
  beforeEach(async () => {
    tenant = await environment.createTenant();
    colleague = await addColleague('Ada');
  });

  async function addColleague(
    name: string,
    role: Role = 'member',
  ): Promise<{ id: string; token: string }> {
    const { prisma } = environment.database;
    const { userId, token } = await environment.createTenant();
    const { workspaceId } = tenant;
    await prisma.user.update({ where: { id: userId }, data: { name } });
    await prisma.member.create({
      data: { workspaceId, userId, role, createdAt: new Date() },
    });
    return { id: userId, token };
  }

  /** Opens the connection of a session whose user looks at a conversation. */
  async function view(at: Server, token: string, number: string): Promise<EventClient> {
    const client = environment.connect(at.uiUrl(tenant), token);
    await client.receive(1);
    await say(client, { number });
    return client;
  }

  /** Sends a frame. Resolves when the server has processed the frame, because a pong follows it. */
  async function say(client: EventClient, frame: Partial<ClientFrame>): Promise<void> {
    send(client, frame);
    await settle(client);
  }

  async function settle({ socket }: EventClient): Promise<void> {
    const ponged = once(socket, 'pong');
    socket.ping();
    await ponged;
  }

  function send(
    { socket }: EventClient,
    { number = THEM, typing = false }: Partial<ClientFrame>,
  ): void {
    const frame: ClientFrame = { type: 'conversation.viewing', number, typing };
    socket.send(JSON.stringify(frame));
  }

  const typingOf = ({ frames }: EventClient) =>
    (frames as Frame[]).filter((frame) => frame.type === 'conversation.typing');
  const secondsOf = (client: EventClient) =>
    typingOf(client).map(({ expires_in_seconds: seconds }) => seconds);

  const namesOf = (client: EventClient) => typingOf(client).map(({ user }) => user.name);

  test('a viewer sees who is typing a reply, but is reported to nobody', async () => {
    const viewer = await addColleague('Vera', 'viewer');
    const watching = await view(elsewhere, viewer.token, THEM);
    const typing = await view(server, tenant.token, THEM);
    await say(watching, { typing: true });
    await say(typing, { typing: true });
    await expect.poll(() => secondsOf(watching), EVENTUALLY).toEqual([7]);
    // The frame of the viewer was processed before the one that the viewer has received.
    expect(typingOf(typing)).toEqual([]);
  });

  test('a colleague with the same conversation open, on another process, sees when a user starts and stops typing a reply', async () => {
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    send(typist, { typing: true });
    await expect
      .poll(() => typingOf(viewer), EVENTUALLY)
      .toEqual([
        {
          type: 'conversation.typing',
          workspace_id: tenant.workspaceId,
          number: THEM,
          user: { id: colleague.id, name: 'Ada' },
          expires_in_seconds: 7,
        },
      ]);
    send(typist, { typing: false });
    await expect.poll(() => secondsOf(viewer), EVENTUALLY).toEqual([7, 0]);
  });

  test('colleagues with another conversation open, the typist’s other tabs, API keys and other workspaces receive nothing', async () => {
    const stranger = await environment.createTenant();
    const viewer = await view(elsewhere, tenant.token, THEM);
    const reader = await view(elsewhere, tenant.token, OTHER);
    const ownTab = await view(elsewhere, colleague.token, THEM);
    const program = environment.connect(elsewhere.url, tenant.key);
    const outsider = environment.connect(elsewhere.uiUrl(stranger), stranger.token);
    await Promise.all([program.receive(1), outsider.receive(1)]);
    await Promise.all([say(outsider, {}), say(program, {})]);
    const typist = await view(server, colleague.token, THEM);
    send(typist, { typing: true });
    await expect.poll(() => secondsOf(viewer), EVENTUALLY).toEqual([7]);
    const others = [reader, ownTab, program, outsider];
    // The frames of all connections are sent in the same turn, and a pong follows them.
    await Promise.all(others.map(settle));
    expect(others.flatMap(typingOf)).toEqual([]);
  });

  test('a user who only reads a conversation is not reported as typing, and opening another one ends the report', async () => {
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    for (let round = 0; round < 3; round += 1) send(typist, { typing: false });
    send(typist, { typing: true });
    send(typist, { number: OTHER, typing: true });
    await expect.poll(() => secondsOf(viewer), EVENTUALLY).toEqual([7, 0]);
  });

  test('a connection that sends without pause reports typing at most once every two seconds', async () => {
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    const startedAt = performance.now();
    for (let round = 0; round < 500; round += 1) send(typist, { typing: round % 2 === 0 });
    const ben = await addColleague('Ben');
    send(await view(server, ben.token, THEM), { typing: true });
    // The bus keeps the order.
    await expect.poll(() => namesOf(viewer), EVENTUALLY).toContain('Ben');
    const intervals = 1 + Math.floor((performance.now() - startedAt) / 2_000);
    const reports = namesOf(viewer).filter((name) => name === 'Ada').length;
    expect(reports).toBeGreaterThanOrEqual(2);
    expect(reports).toBeLessThanOrEqual(2 * intervals);
  });

  test.each([
    ['text that is not JSON', 'typing'],
    ['another type', '{"type":"ping"}'],
    ['no number', '{"type":"conversation.viewing","typing":true}'],
    [
      'too many characters',
      `{"type":"conversation.viewing","number":"${'1'.repeat(600)}","typing":true}`,
    ],
    ['binary data', Buffer.from('{"type":"conversation.viewing","number":"+1","typing":true}')],
  ])('a frame with %s is ignored, and the connection stays open', async (_what, frame) => {
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    typist.socket.send(frame);
    send(typist, { typing: true });
    await expect.poll(() => secondsOf(viewer), EVENTUALLY).toEqual([7]);
  });

  test('typing uses no event number: the stream of a program has exactly the messages', async () => {
    const program = environment.connect(server.url, tenant.key);
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    await program.receive(1);
    const before = (await server.hub.findCurrent(tenant.workspaceId)).position;
    send(typist, { typing: true });
    await expect.poll(() => secondsOf(viewer), EVENTUALLY).toEqual([7]);
    expect((await server.hub.findCurrent(tenant.workspaceId)).position).toEqual(before);
    const [id] = await environment.accept(tenant, 1, server.bus);
    const frames = await program.receive(2);
    expect(frames.map(({ type }) => type)).toEqual(['ready', 'message.created']);
    const resumed = environment.connect(
      `${server.uiUrl(tenant)}?cursor=${frames[0]?.cursor}`,
      tenant.token,
    );
    expect((await resumed.receive(2))[1]).toMatchObject({ message: { id } });
  });

  test('a removed member reports nothing while their connection closes', async () => {
    const viewer = await view(elsewhere, tenant.token, THEM);
    const typist = await view(server, colleague.token, THEM);
    // The server starts to close the connection in this call, before the next frame arrives.
    const published = server.bus.publish([
      { kind: 'member_removed', workspaceId: tenant.workspaceId, userId: colleague.id },
    ]);
    send(typist, { typing: true });
    await published;
    expect(await typist.closed).toBe(4403);
    const second = await addColleague('Ben');
    const other = await view(server, second.token, THEM);
    send(other, { typing: true });
    await expect.poll(() => namesOf(viewer), EVENTUALLY).toEqual(['Ben']);
  });
});
