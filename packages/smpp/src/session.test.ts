import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { COMMAND_IDS } from './commands.ts';
import { encodePdu } from './encode-pdu.ts';
import type { MessageFields, Pdu, PduContent } from './pdu.ts';
import { createSession } from './session.ts';
import type { SessionBudget } from './session-budget.ts';

const EVENTUALLY = { timeout: 60_000, interval: 10 };

const MESSAGE: MessageFields = {
  serviceType: '',
  sourceTon: 0,
  sourceNpi: 0,
  source: '1',
  destinationTon: 0,
  destinationNpi: 0,
  destination: '2',
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduleTime: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  shortMessage: Buffer.from('Hello'),
};
const DELIVER: PduContent = { command: 'deliver_sm', ...MESSAGE };

/** Encodes requests with ascending sequence numbers. */
function encodeMany(pdu: PduContent, count: number, first = 1): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => encodePdu(pdu, first + index)));
}

/** Opens a session, and the raw socket of its peer. Both are closed when the test ends. */
async function openPair(
  options: {
    budget?: Partial<SessionBudget>;
    onRequest?(pdu: Pdu): Promise<void> | null;
  } = {},
) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [peer] = (await once(server, 'connection')) as [Socket];
  peer.on('error', () => undefined);
  onTestFinished(async () => {
    own.destroy();
    peer.destroy();
    server.close();
    await once(server, 'close');
  });
  const handled: Pdu[] = [];
  let isClosed = false;
  const session = createSession(own, {
    onRequest(pdu) {
      handled.push(pdu);
      return options.onRequest === undefined ? Promise.resolve() : options.onRequest(pdu);
    },
    onClose: () => (isClosed = true),
    ...(options.budget !== undefined && { budget: options.budget }),
  });
  const closed = () => vi.waitFor(() => expect(isClosed).toBe(true), EVENTUALLY);
  return { session, own, peer, handled, closed };
}

test.each([
  ['enquire_link', encodePdu({ command: 'enquire_link' }, 1)],
  ['responses to no request', encodePdu({ command: 'enquire_link_resp' }, 99)],
  ['unknown commands', Buffer.from('00000010000001030000000000000001', 'hex')],
  ['requests that cannot be decoded', Buffer.from('00000010000000050000000000000001', 'hex')],
])('the connection of a peer that floods %s closes with the reason', async (_what, pdu) => {
  const { session, peer, closed } = await openPair({ budget: { emptyPdusPerMinute: 100 } });
  peer.write(Buffer.concat(Array.from({ length: 101 }, () => pdu)));
  await closed();
  expect(session.excess).toContain('more than 100 PDUs without a message within a minute');
});

test('a peer that sends no more than its budget of PDUs keeps its connection, and gets every response', async () => {
  const { session, peer } = await openPair({ budget: { emptyPdusPerMinute: 100 } });
  let received = 0;
  peer.on('data', (chunk: Buffer) => (received += chunk.length));
  peer.write(encodeMany({ command: 'enquire_link' }, 100));
  await vi.waitFor(() => expect(received).toBe(100 * 16), EVENTUALLY);
  expect(session.excess).toBeNull();
});

test('other work gets a turn between the PDUs of one chunk', async () => {
  const pdusPerTurn = 8;
  const perTurn: number[] = [];
  let count = 0;
  const { peer, handled } = await openPair({
    budget: { pdusPerTurn },
    onRequest() {
      if (count === 0) setImmediate(() => perTurn.push(count));
      count += 1;
      return Promise.resolve();
    },
  });
  peer.write(encodeMany(DELIVER, 200));
  await vi.waitFor(() => expect(handled).toHaveLength(200), EVENTUALLY);
  expect(perTurn[0]).toBeLessThanOrEqual(2 * pdusPerTurn);
});

test('nothing more is read while the budget of pending requests is used up, and all requests are handled', async () => {
  let finish = (): void => undefined;
  let stored = new Promise<void>((resolve) => (finish = resolve));
  const { session, peer, handled } = await openPair({
    budget: { pendingRequests: 100 },
    onRequest: () => stored,
  });
  // More than the buffers of both sockets hold.
  const large = { ...DELIVER, shortMessage: Buffer.alloc(254) } as PduContent;
  const bytes = encodeMany(large, 40_000);
  const isWritten = { now: false };
  peer.write(bytes, () => (isWritten.now = true));
  await vi.waitFor(() => expect(session.isBehind).toBe(true), EVENTUALLY);
  await delay(300);
  expect(handled).toHaveLength(100);
  expect(isWritten.now).toBe(false);
  stored = Promise.resolve();
  finish();
  await vi.waitFor(() => expect(handled.length).toBe(40_000), EVENTUALLY);
  expect(session.isBehind).toBe(false);
});

test('a peer that never reads is no longer read from, and its connection closes at the time limit', async () => {
  const { session, own, peer, closed } = await openPair({
    budget: { unreadMs: 500, emptyPdusPerMinute: Infinity },
  });
  peer.pause();
  const bytes = encodeMany({ command: 'enquire_link' }, 10_000);
  let most = 0;
  function flood(): void {
    most = Math.max(most, own.writableLength);
    if (!peer.destroyed) peer.write(bytes, () => setImmediate(flood));
  }
  flood();
  await closed();
  expect(session.excess).toContain('did not read for 500 ms');
  // One turn may exceed the limit of unread bytes.
  expect(most).toBeLessThan(128 * 1024);
});

test('the connection of a peer that sends a PDU byte by byte closes, and that of a peer that pauses between PDUs does not', async () => {
  const { session, peer, closed } = await openPair({ budget: { partialMs: 300 } });
  peer.write(encodePdu(DELIVER, 1));
  await delay(600);
  expect(session.excess).toBeNull();
  const bytes = encodePdu(DELIVER, 2);
  const drip = setInterval(() => peer.write(bytes.subarray(0, 1)), 20);
  onTestFinished(() => clearInterval(drip));
  peer.write(Buffer.from([0, 1, 0, 0]));
  await closed();
  expect(session.excess).toContain('did not complete a PDU within 300 ms');
});

test('responses that arrive in one chunk with the end of the connection all count', async () => {
  const { session, peer } = await openPair({ budget: { pdusPerTurn: 4 } });
  const results = Promise.all(
    Array.from({ length: 100 }, () => session.request({ command: 'enquire_link' }, 60_000)),
  );
  await once(peer, 'data');
  peer.end(encodeMany({ command: 'enquire_link_resp' }, 100));
  expect(new Set((await results).map(({ type }) => type))).toEqual(new Set(['response']));
});

test('a session is idle when both sides have responded, and after the time limit at the latest', async () => {
  let finish = (): void => undefined;
  const stored = new Promise<void>((resolve) => (finish = resolve));
  const { session, peer, handled } = await openPair({ onRequest: () => stored });
  await session.idle(60_000);
  const requested = session.request({ command: 'enquire_link' }, 60_000);
  peer.write(encodePdu(DELIVER, 1));
  await vi.waitFor(() => expect(handled).toHaveLength(1), EVENTUALLY);
  await session.idle(10);
  let isIdle = false;
  const idle = session.idle(60_000).then(() => (isIdle = true));
  finish();
  await delay(100);
  expect(isIdle).toBe(false);
  peer.write(encodePdu({ command: 'enquire_link_resp' }, 1));
  expect(await requested).toMatchObject({ type: 'response' });
  await idle;
});

test('a response whose last field lacks its closing NUL is read', async () => {
  const { session, peer } = await openPair();
  const ids = ['8f3a-17', '0'];
  for (const [index, id] of ids.entries()) {
    const result = session.request({ command: 'submit_sm', ...MESSAGE }, 60_000);
    const frame = Buffer.concat([Buffer.alloc(16), Buffer.from(id)]);
    frame.writeUInt32BE(frame.length, 0);
    frame.writeUInt32BE(COMMAND_IDS.submit_sm_resp, 4);
    frame.writeUInt32BE(index + 1, 12);
    peer.write(frame);
    expect(await result).toMatchObject({ type: 'response', pdu: { status: 0, messageId: id } });
  }
});
