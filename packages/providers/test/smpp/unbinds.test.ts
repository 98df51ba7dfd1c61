import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { openSmpp } from './open-smpp.ts';
import { accept, startSmsc, type Submit } from './start-smsc.ts';

/** Longer than the test. */
const LONG_PAUSE = { firstPauseMs: 60_000, longestPauseMs: 60_000 };

test('after the SMSC unbinds, nothing more is sent over the bind, and the response to the unbind follows those to what was sent', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const timings = { ...LONG_PAUSE, unboundGraceMs: 60_000 };
  const { send, waitFor } = await openSmpp(smsc.port, { timings });
  const sent = Promise.all([send(), send({ body: 'A second one' })]);
  await vi.waitFor(() => expect(held).toHaveLength(2), EVENTUALLY);
  const peer = smsc.bound();
  let isUnbound = false;
  // Like many SMSCs, this one closes the connection when it gets the response.
  const unbound = peer?.session.request({ command: 'unbind' }, 60_000).then((result) => {
    isUnbound = true;
    peer.socket.destroy();
    return result;
  });
  await waitFor('connecting');
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  for (const submit of held) {
    await delay(100);
    expect(isUnbound).toBe(false);
    accept(submit);
  }
  expect(await unbound).toMatchObject({ type: 'response' });
  expect(await sent).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }]);
  expect(smsc.submits).toHaveLength(2);
});

test('an SMSC that responds only after it has got the response to its unbind gets that first', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const timings = { ...LONG_PAUSE, unboundGraceMs: 50 };
  const { send } = await openSmpp(smsc.port, { timings });
  const first = send();
  await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
  expect(await smsc.bound()?.session.request({ command: 'unbind' }, 60_000)).toMatchObject({
    type: 'response',
  });
  held.forEach(accept);
  expect(await first).toMatchObject({ kind: 'accepted' });
});

test('responses that an unbound SMSC never sends are waited for only for a time', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined });
  const timings = { ...LONG_PAUSE, unboundGraceMs: 20, bindTimeoutMs: 500 };
  const { send } = await openSmpp(smsc.port, { timings, callTimeoutMs: 60_000 });
  const outcome = send();
  await vi.waitFor(() => expect(smsc.submits).toHaveLength(1), EVENTUALLY);
  const peer = smsc.bound();
  await peer?.session.request({ command: 'unbind' }, 60_000);
  expect(await outcome).toMatchObject({ kind: 'unknown' });
  await vi.waitFor(() => expect(peer?.socket.destroyed).toBe(true), EVENTUALLY);
});

test('a delivery that was sent before the unbind is acknowledged before the connection ends', async () => {
  let finish = (): void => undefined;
  const stored = new Promise<void>((resolve) => (finish = resolve));
  const smsc = await startSmsc();
  const { inbound, waitFor } = await openSmpp(smsc.port, {
    timings: { ...LONG_PAUSE, unboundGraceMs: 60_000 },
    store: () => stored,
  });
  const delivered = smsc.deliver({ shortMessage: Buffer.from('Hi') });
  const unbound = smsc.bound()?.session.request({ command: 'unbind' }, 60_000);
  await waitFor('connecting');
  await vi.waitFor(() => expect(inbound).toHaveLength(1), EVENTUALLY);
  finish();
  expect(await delivered).toMatchObject({ type: 'response', pdu: { status: 0 } });
  expect(await unbound).toMatchObject({ type: 'response' });
});

test('a bind over which a message was accepted is opened again without a growing pause, and messages wait for it', async () => {
  const smsc = await startSmsc({
    onSubmit(submit) {
      accept(submit);
      void submit.peer.session.request({ command: 'unbind' }, 60_000);
    },
  });
  // The eighth pause would last longer than the test.
  const timings = { firstPauseMs: 50, longestPauseMs: 300_000 };
  const { send } = await openSmpp(smsc.port, { timings, callTimeoutMs: 60_000 });
  for (let count = 1; count <= 20; count += 1) {
    // With a bind that has just ended, the message waits, and is sent once.
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(smsc.submits).toHaveLength(count);
  }
  expect(smsc.binds.length).toBeGreaterThan(15);
});

test('messages do not wait for an SMSC that cannot be reached any more', async () => {
  const smsc = await startSmsc();
  const { send, session } = await openSmpp(smsc.port, { callTimeoutMs: 120_000 });
  expect(await send()).toMatchObject({ kind: 'accepted' });
  await smsc.stop();
  await vi.waitFor(() => expect(session.state).toHaveProperty('detail'), EVENTUALLY);
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
});

test('the parts of a message that follow an unbind are sent over the next bind, each once', async () => {
  const smsc = await startSmsc({
    onSubmit(submit) {
      accept(submit);
      if (smsc.submits.length === 2) {
        void submit.peer.session.request({ command: 'unbind' }, 60_000);
      }
    },
  });
  const { send } = await openSmpp(smsc.port, { callTimeoutMs: 60_000 });
  expect(await send({ body: 'x'.repeat(600) })).toMatchObject({ kind: 'accepted' });
  const headers = smsc.submits.map(({ pdu }) => [...pdu.shortMessage.subarray(3, 6)]);
  const reference = headers[0]?.[0];
  expect(headers).toEqual([1, 2, 3, 4].map((part) => [reference, 4, part]));
  expect(new Set(smsc.submits.map(({ peer }) => peer)).size).toBe(2);
});
