import { positionOf, startOfSlot } from '@switchboard/core';
import { withRetention } from '@switchboard/database';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatCursor } from '../../src/events/cursor.ts';
import type { EventClient } from '../event-client.ts';
import { type Tenant, cursorOf, eventsOf } from '../events-environment.ts';
import { EPOCH, environment, useHubEnvironment } from './environment.ts';

// Each process writes events in a slot of its own. The hub reads all of them.
useHubEnvironment();

let tenant: Tenant;
beforeEach(async () => {
  tenant = await environment.createTenant();
});
afterEach(() => {
  environment.database.numbering.value = 0;
});

const write = (slot: number): void => {
  environment.database.numbering.value = slot;
};

/** Writes three events for each of three messages, each event in another slot: 9 events. */
async function writeInSlots(bus?: Parameters<typeof environment.accept>[2]): Promise<void> {
  write(3);
  const ids = await environment.accept(tenant, 3, bus);
  for (const [slot, status] of [[1, 'sent'] as const, [0, 'delivered'] as const]) {
    write(slot);
    for (const id of ids) await environment.advance(id, status, bus);
  }
}

function describeEvents(frames: EventClient['frames']): string[] {
  return eventsOf(frames).map(({ message }) => `${message.id} ${message.status}`);
}

function expectOrder(events: readonly string[]): void {
  const order = ['queued', 'sent', 'delivered'];
  for (const id of new Set(events.map((event) => event.split(' ')[0]))) {
    const statuses = events.filter((event) => event.startsWith(`${id} `));
    const ranks = statuses.map((event) => order.indexOf(event.split(' ')[1] ?? ''));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  }
}

/** Starts a server whose pages have this number of rows. */
const startServer = (rows: number) =>
  environment.startServer({
    events: { ...environment.events, read: (feeds) => environment.events.read(feeds, rows) },
  });

describe.each([1, 4, 400])('events of several processes, in pages of %i', (rows) => {
  test('a live client receives each event once, and the events of each message in order', async () => {
    const server = await startServer(rows);
    const client = environment.connect(server.url, tenant.key);
    await client.receive(1);
    await writeInSlots(server.bus);
    const events = describeEvents(await client.receive(10));
    expect(events).toHaveLength(9);
    expect(new Set(events).size).toBe(9);
    expectOrder(events);
  });

  test('clients that resume at the same time, each from the cursor of a different frame, receive exactly the events that they missed', async () => {
    const server = await startServer(rows);
    const live = environment.connect(server.url, tenant.key);
    await live.receive(1);
    await writeInSlots(server.bus);
    const frames = (await live.receive(10)).slice(0, 10);
    const all = describeEvents(frames);
    const resumed = frames.map((frame) =>
      environment.connect(`${server.url}?cursor=${cursorOf(frame)}`, tenant.key),
    );
    for (const [index, client] of resumed.entries()) {
      const rest = describeEvents(await client.receive(10 - index));
      expect(new Set(rest)).toEqual(new Set(all.slice(index)));
      expect(rest).toHaveLength(9 - index);
      expectOrder(rest);
    }
  });
});

describe('cursors', () => {
  test('a client receives a resync if events of one slot were deleted after its cursor', async () => {
    const server = await environment.startServer();
    await writeInSlots();
    const { workspaceId } = tenant;
    const before = new Date(Date.now() + 60_000);
    const slot = 1;
    await withRetention(environment.database, (store) =>
      store.deleteEvents({ workspaceId, before, afterSeq: startOfSlot(slot), limit: 2 }),
    );
    const last = [3, startOfSlot(1) + 3, startOfSlot(3) + 3];
    const end = formatCursor(workspaceId, { epoch: EPOCH, position: positionOf(last) });
    const cursorAfter = (count: number) => {
      const seqs = [startOfSlot(3) + 3, startOfSlot(1) + count];
      return formatCursor(workspaceId, { epoch: EPOCH, position: positionOf(seqs) });
    };
    const old = environment.connect(`${server.url}?cursor=${cursorAfter(1)}`, tenant.key);
    expect((await old.receive(2))[1]).toEqual({ type: 'resync', cursor: end });
    const recent = environment.connect(`${server.url}?cursor=${cursorAfter(2)}`, tenant.key);
    expect(describeEvents(await recent.receive(5))).toHaveLength(4);
  });
});
