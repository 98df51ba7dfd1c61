import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { START_OF_EVENTS, advance, createHeldEvents, lastIn, positionOf } from '@switchboard/core';
import type { EventPage } from '@switchboard/database';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection, Feed } from './connection.ts';
import { createLiveDelivery } from './deliver-live.ts';

const WORKSPACE = '01a1f8f1-54f4-7000-b000-03e09a2e335c';

/** The table has the events 1 to `last`. */
let last: number;
let reads: number;
/** The number of frames in each network write of the only socket. */
let writes: number[];
let feed: Feed;
let live: ReturnType<typeof createLiveDelivery>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [last, reads, writes] = [0, 0, []];
  feed = {
    workspaceId: WORKSPACE,
    epoch: '0000000100000000',
    position: START_OF_EVENTS,
    counted: START_OF_EVENTS,
    reported: START_OF_EVENTS,
    held: createHeldEvents(3),
    isReadDue: false,
    live: new Set(),
    behind: new Set(),
  };
  feed.live.add(createConnection(feed));
  live = createLiveDelivery({
    events: {
      async read([first]) {
        reads += 1;
        const after = lastIn(first?.after ?? START_OF_EVENTS, 0);
        return new Map(after < last ? [[WORKSPACE, pageOf(after + 1, last)]] : []);
      },
      readCounters: async () => ({ epoch: '0000000100000000', positions: new Map() }),
    },
    feeds: new Map([[WORKSPACE, feed]]),
    maxBufferedBytes: 1024,
    catchUp: () => undefined,
    tracer: null,
    onError(error) {
      throw error;
    },
  });
});

afterEach(async () => {
  vi.runAllTimers();
  vi.useRealTimers();
  await live.stop();
});

function createConnection(of: Feed): Connection {
  const stream = new Writable({
    write(frames: Buffer, _encoding, done) {
      writes.push(frames.toString().match(/"type":"message.updated"/g)?.length ?? 0);
      done();
    },
  });
  const socket = { bufferedAmount: 0, readyState: 1, OPEN: 1 };
  return { socket, stream, feed: of, position: START_OF_EVENTS } as unknown as Connection;
}

function pageOf(first: number, through: number): EventPage {
  const at = new Date(0);
  const message = {
    workspaceId: WORKSPACE,
    createdAt: at,
    updatedAt: at,
    scheduledAt: null,
    sentAt: null,
  };
  const events = Array.from({ length: through - first + 1 }, (_, index) => ({
    workspaceId: WORKSPACE,
    seq: first + index,
    type: 'status_changed',
    message: { ...message, deliveredAt: null },
    traceParent: null,
  }));
  return {
    events,
    position: positionOf([through]),
    isLast: true,
    hasGap: false,
  } as unknown as EventPage;
}

async function storeEvents(events: number): Promise<void> {
  last += events;
  live.wake(feed);
  await nextTurn();
}

test('the hub gathers events before the next read under load, and reads immediately otherwise', async () => {
  await storeEvents(1);
  await storeEvents(1);
  expect([reads, lastIn(feed.position, 0)]).toEqual([2, 2]);
  await storeEvents(16);
  expect([reads, lastIn(feed.position, 0)]).toEqual([3, 18]);
  for (let more = 0; more < 5; more += 1) await storeEvents(1);
  expect([reads, lastIn(feed.position, 0)]).toEqual([3, 18]);
  vi.advanceTimersByTime(20);
  await nextTurn();
  expect([reads, lastIn(feed.position, 0)]).toEqual([4, 23]);
  await storeEvents(1);
  expect([reads, lastIn(feed.position, 0)]).toEqual([5, 24]);
});

test('the frames of one page go to a socket in one write', async () => {
  await storeEvents(16);
  vi.advanceTimersByTime(20);
  await nextTurn();
  await storeEvents(3);
  expect(writes).toEqual([16, 3]);
});

test('events that this process has written are sent without a read, until one is missing', async () => {
  const [first, second, fourth] = pageOf(1, 4).events.filter((_, index) => index !== 2);
  const report = async (event: typeof first, isHeld: boolean) => {
    if (event === undefined) throw new Error('there is no event');
    last = event.seq;
    if (isHeld) feed.held.add({ ...event, previousSeq: null });
    feed.reported = advance(feed.reported, event.seq);
    live.wakeReported(feed);
    await nextTurn();
  };
  await report(first, true);
  await report(second, true);
  expect([reads, lastIn(feed.position, 0), writes]).toEqual([0, 2, [1, 1]]);
  await report(fourth, true);
  expect([reads, lastIn(feed.position, 0), writes]).toEqual([1, 4, [1, 1, 2]]);
});

test('what no notification has reported is read, although this process has written the next event', async () => {
  const [first] = pageOf(1, 1).events;
  if (first === undefined) throw new Error('there is no event');
  feed.held.add({ ...first, previousSeq: null });
  feed.reported = positionOf([1]);
  await storeEvents(3);
  expect([reads, lastIn(feed.position, 0), writes]).toEqual([1, 3, [1, 2]]);
});
