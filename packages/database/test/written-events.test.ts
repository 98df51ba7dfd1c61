import { randomUUID } from 'node:crypto';
import { START_OF_EVENTS, createUuidV7 } from '@switchboard/core';
import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Database,
  type MessageStore,
  type WrittenEvent,
  createMessageEventStore,
  createMessageStore,
} from '../src/index.ts';

let testDatabase: TestDatabase;
let database: Database;
let store: MessageStore;
let workspace: WorkspaceFixture;
const written: WrittenEvent[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.url);
  database.numbering.value = 3;
  workspace = await createWorkspaceFixture(testDatabase.url);
  store = createMessageStore(database, {
    leaseMs: 60_000,
    hintGraceMs: 60_000,
    onEvent: (event) => void written.push(event),
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

type Accepted = Parameters<MessageStore['accept']>[0];

async function accept(differences: Partial<Accepted> = {}): Promise<string> {
  const createdAt = new Date();
  const id = createUuidV7(createdAt.getTime());
  const result = await store.accept({
    id,
    createdAt,
    workspaceId: workspace.workspaceId,
    to: '+15551230001',
    from: '+15005550006',
    body: 'Hello',
    media: [],
    segments: 1,
    scheduledAt: null,
    requestId: 'r1',
    idempotency: null,
    ...differences,
  });
  expect(result.kind).toBe('stored');
  return id;
}

/** Claims the message, and writes what its provider and two reports say. */
async function deliver(id: string, from: string | null): Promise<void> {
  const { workspaceId, providerId, accountSid } = workspace;
  const { rows } = await database.pool.query<{ secret: string }>(
    'SELECT sealed_secret AS secret FROM provider_accounts WHERE id = $1',
    [providerId],
  );
  const sealedSecret = rows[0]?.secret ?? '';
  const claimed = await store.claim({ workspaceId, messageId: id });
  if (claimed === null) throw new Error('The message was not claimed.');
  const sid = randomUUID();
  const result = await store.apply({
    id,
    workspaceId,
    expectedVersion: claimed.version,
    wasInProgress: true,
    next: {
      ...claimed,
      dispatch: 'accepted',
      status: 'queued',
      providerStatus: 'queued',
      providerSid: sid,
      providerId,
      vendorAccountId: accountSid,
      from,
    },
    notBeforeInMs: null,
    dueInMs: 60_000,
    event: { type: 'provider_accepted', detail: null, visible: true },
    optsOut: false,
  });
  expect(result.kind).toBe('applied');
  for (const [status, replaces, dueInMs] of [
    ['sent', 'queued', 60_000],
    ['delivered', 'queued sent', null],
  ] as const) {
    const advanced = await store.advance({
      account: { workspaceId, id: providerId, sealedSecret },
      messageId: id,
      sid,
      from: '+15005550006',
      status,
      replaces,
      dueInMs,
    });
    expect(advanced).toMatchObject({ id });
  }
}

test('an event that a statement returns is the event that is read, of accepted messages and of usual reports', async () => {
  const first = await accept({ traceParent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
  await accept({ scheduledAt: new Date(Date.now() + 86_400_000) });
  await accept({
    repeatOf: first,
    media: [{ url: 'https://example.com/a.png', content_type: null }],
    body: '“Ünïcode”',
    segments: 2,
    reference: 'order-1042',
  });
  // The pairs keep their order, also that of names which PostgreSQL would sort otherwise.
  await accept({ metadata: { zeta: '', a: '“1”', Beta: '2' } });
  await accept({ body: '“Hi” – you…', encoding: 'prefer_gsm7' });
  // With the default of the workspace, in the same batch as one that keeps its text.
  await database.pool.query(`UPDATE workspaces SET encoding = 'prefer_gsm7'`);
  await Promise.all([
    accept({ body: '“Hi” – you…' }),
    accept({ body: '“Hi” – you…', encoding: 'as_is' }),
  ]);
  await accept({
    apiKeyId: workspace.apiKeyId,
    apiKeyVersion: 1,
    from: null,
    isHeldToRules: true,
  });
  await accept({ sentBy: { kind: 'user', id: randomUUID() } });
  await deliver(first, '+15005550006');
  await deliver(await accept({ from: null }), null);

  expect(
    written.flatMap(({ message: { body, encoding } }) =>
      body.includes('Hi') ? [[body, encoding]] : [],
    ),
  ).toEqual([
    ['"Hi" - you...', 'prefer_gsm7'],
    ['"Hi" - you...', 'prefer_gsm7'],
    ['“Hi” – you…', null],
  ]);

  const { workspaceId } = workspace;
  const pages = await createMessageEventStore(database).read(
    [{ workspaceId, after: START_OF_EVENTS }],
    100,
  );
  const read = pages.get(workspaceId)?.events ?? [];
  expect(read.map(({ type }) => type)).toHaveLength(16);
  expect(written).toHaveLength(14);
  for (const event of written) {
    const { message, ...rest } = event;
    const same = read.find(({ seq }) => seq === event.seq);
    expect(same).toMatchObject({ ...rest, message: {} });
    expect(JSON.stringify(pick(same?.message, message))).toBe(
      JSON.stringify(pick(message, message)),
    );
  }
});

/** The columns of a message, without those that rows have beside them. */
function pick(from: object | undefined, like: object): object {
  const columns = Object.keys(written[0]?.message ?? {});
  expect(Object.keys(like)).toEqual(expect.arrayContaining(columns));
  return Object.fromEntries(columns.map((name) => [name, (from as Record<string, unknown>)[name]]));
}
