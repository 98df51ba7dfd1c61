import { randomUUID } from 'node:crypto';
import {
  type EventPosition,
  type MessageStatus,
  countBetween,
  createDispatchPolicy,
  createUuidV7,
  decideDirectEvidence,
} from '@switchboard/core';
import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  openTestDatabase,
} from '@switchboard/testing';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  type Database,
  type MessageStore,
  createMessageEventStore,
  createMessageStore,
  createProcessStore,
} from '../../src/index.ts';

/** One process of the service: its own pool, with its own slot. */
export interface Process {
  database: Database;
  messages: MessageStore;
  /** Reports the process, which chooses its slot. */
  report(): Promise<void>;
  /** Ends the reports, as a process that stops. */
  leave(): Promise<void>;
}

const policy = createDispatchPolicy({ unknownLookupsMs: [60_000], pollsMs: [60_000] });

let testDatabase: TestDatabase;
export let workspace: WorkspaceFixture;
let processes: Process[];

/** Registers the hooks of the calling file. */
export function useProcesses(): void {
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    workspace = await createWorkspaceFixture(testDatabase.url);
    processes = [];
  });
  afterEach(async () => {
    for (const { database } of processes) await database.close();
    await testDatabase.drop();
  });
}

export function start(slot: number): Process {
  const database = openTestDatabase(testDatabase.url);
  database.numbering.value = slot;
  const messages = createMessageStore(database, { leaseMs: 60_000, hintGraceMs: 60_000 });
  const store = createProcessStore(database);
  const self = { id: randomUUID(), role: 'api', host: 'h', pid: processes.length, keyIds: [] };
  const started = {
    database,
    messages,
    report: () => store.report(self),
    leave: () => store.remove(self.id),
  };
  processes.push(started);
  return started;
}

export async function accept({ messages }: Process, createdAt = new Date()): Promise<string> {
  const id = createUuidV7(createdAt.getTime());
  const result = await messages.accept({
    id,
    createdAt,
    workspaceId: workspace.workspaceId,
    to: '+15005550100',
    from: workspace.from,
    body: 'Hello',
    media: [],
    segments: 1,
    scheduledAt: null,
    requestId: 'r',
    idempotency: null,
  });
  expect(result.kind).toBe('stored');
  return id;
}

/** Writes a status as a callback from the provider does. */
export async function advance(
  { messages }: Process,
  id: string,
  status: MessageStatus,
): Promise<void> {
  const row = await messages.readRow({ workspaceId: workspace.workspaceId, id });
  if (row === null) throw new Error('no such message');
  const { change } = decideDirectEvidence(
    row,
    {
      sid: `SM${id.replaceAll('-', '')}`,
      providerId: randomUUID(),
      vendorAccountId: 'AC1',
      status,
      rawStatus: status,
      from: null,
      errorCode: null,
      errorDetail: null,
      isOptOut: false,
    },
    policy,
    'callback',
  );
  const result = change === null ? null : await messages.apply(change);
  expect(result).toMatchObject({ kind: 'applied', seq: expect.any(Number) as number });
}

/** Reads all events from a position, in pages of at most `limit` events of each slot. */
export async function readAll(from: EventPosition, limit: number) {
  const [{ database } = start(0)] = processes;
  const store = createMessageEventStore(database);
  const { workspaceId } = workspace;
  const events: { messageId: string; status: string; seq: number }[] = [];
  let position = from;
  for (;;) {
    const page = (await store.read([{ workspaceId, after: position }], limit)).get(workspaceId);
    if (page === undefined) return { events, position };
    expect(page.hasGap).toBe(false);
    expect(countBetween(position, page.position)).toBeGreaterThan(0);
    for (const { seq, message } of page.events) {
      events.push({ messageId: message.id, status: message.status, seq });
    }
    position = page.position;
  }
}
