import type { Socket } from 'node:net';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { createAccount, createAdapter, openSession } from './open-smpp.ts';
import { startSmsc } from './start-smsc.ts';

const ENQUIRE_LINK = Buffer.from('00000010000000150000000000000001', 'hex');
/** Longer than the test. */
const LONG_PAUSE = { firstPauseMs: 20, longestPauseMs: 120_000 };

/** An SMSC that accepts every bind, floods enquire_link, and reads nothing more. */
async function startFlooding() {
  function flood(socket: Socket): void {
    if (!socket.destroyed) {
      socket.write(Buffer.alloc(16 * 1_000, ENQUIRE_LINK), () => setImmediate(flood, socket));
    }
  }
  const smsc = await startSmsc({
    onBind(_pdu, { socket }) {
      setImmediate(() => {
        socket.pause();
        flood(socket);
      });
      return 0;
    },
  });
  return smsc;
}

const REASON = expect.stringContaining('PDUs without a message within a minute');

test('the session of an SMSC that floods enquire_link and never reads is closed with a reason, and is not opened again soon', async () => {
  const smsc = await startFlooding();
  const adapter = createAdapter({ timings: LONG_PAUSE });
  const { session } = openSession(adapter, createAccount(adapter, { port: smsc.port }));
  await vi.waitFor(
    () => expect(session.state).toEqual({ kind: 'connecting', detail: REASON }),
    EVENTUALLY,
  );
  await vi.waitFor(() => expect(smsc.peers[0]?.socket.destroyed).toBe(true), EVENTUALLY);
  expect(smsc.binds).toHaveLength(1);
});

test('the verification of an account whose SMSC floods enquire_link ends with the reason', async () => {
  const smsc = await startFlooding();
  const adapter = createAdapter();
  const account = createAccount(adapter, { port: smsc.port });
  expect(await adapter.verifyAccount(account)).toMatchObject({
    ok: false,
    isUnavailable: true,
    detail: REASON,
  });
  await vi.waitFor(() => expect(smsc.peers[0]?.socket.destroyed).toBe(true), EVENTUALLY);
});

test('an SMSC that sends messages over the bind of a verification gets no further than its budget', async () => {
  const smsc = await startSmsc({
    onBind(_pdu, { socket }) {
      // 51 bytes: a deliver_sm with empty fields.
      const deliver = Buffer.alloc(33);
      deliver.writeUInt32BE(33, 0);
      deliver.writeUInt32BE(5, 4);
      setImmediate(() => socket.write(Buffer.concat(Array(1_001).fill(deliver))));
      return 0;
    },
  });
  const adapter = createAdapter();
  const account = createAccount(adapter, { port: smsc.port });
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, detail: REASON });
});
