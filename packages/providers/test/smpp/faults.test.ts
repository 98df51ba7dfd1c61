import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { STATUS } from '@switchboard/smpp';
import { expect, test, vi } from 'vitest';
import { openSmpp } from './open-smpp.ts';
import { accept, startSmsc, type Submit } from './start-smsc.ts';

const UNKNOWN = { kind: 'unknown', detail: expect.stringMatching(/\S/) };

/** A PDU of 17 bytes, of which only some are sent. */
const HALF_A_PDU = Buffer.from([0, 0, 0, 17, 0x80, 0, 0, 4, 0, 0]);

const AMBIGUOUS: Record<string, (submit: Submit) => void> = {
  'a reset': ({ peer }) => void peer.socket.resetAndDestroy(),
  'an end of the connection': ({ peer }) => void peer.socket.end(),
  'half of a response and then an end of the connection': ({ peer }) =>
    void peer.socket.end(HALF_A_PDU),
  'bytes that are not SMPP': ({ peer }) => void peer.socket.write('HTTP/1.1 400 Bad Request\r\n'),
  'a PDU that claims 4 GB': ({ peer }) => void peer.socket.write(Buffer.alloc(64, 0xff)),
  'an acceptance without an identifier': ({ respond }) => respond(0, ''),
  'an acceptance with control characters as identifier': ({ respond }) => respond(0, 'a\x01'),
  'a generic_nack without an error': ({ peer, pdu }) =>
    peer.session.respond({ command: 'generic_nack', status: 0 }, pdu.sequence),
};

test.each(Object.entries(AMBIGUOUS))(
  'a submit_sm answered with %s has an unknown outcome, after one request',
  async (_fault, onSubmit) => {
    const smsc = await startSmsc({ onSubmit });
    const { send } = await openSmpp(smsc.port);
    expect(await send()).toEqual(UNKNOWN);
    expect(smsc.submits).toHaveLength(1);
  },
);

test('a response to another command leaves the outcome unknown and is reported as mismatched, and the connection is closed', async () => {
  const smsc = await startSmsc({
    onSubmit: ({ peer, pdu }) =>
      peer.session.respond({ command: 'enquire_link_resp', status: 0 }, pdu.sequence),
  });
  const { send } = await openSmpp(smsc.port);
  const [peer] = smsc.peers;
  expect(await send()).toEqual({ ...UNKNOWN, isMismatched: true });
  await vi.waitFor(() => expect(peer?.socket.destroyed).toBe(true), EVENTUALLY);
});

test('a generic_nack with an error is a refusal with this error', async () => {
  const smsc = await startSmsc({
    onSubmit: ({ peer, pdu }) =>
      peer.session.respond(
        { command: 'generic_nack', status: STATUS.ESME_RTHROTTLED },
        pdu.sequence,
      ),
  });
  const { send } = await openSmpp(smsc.port);
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
});

test('a message without a response has an unknown outcome after its deadline, and frees its slot in the window', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined });
  const { send } = await openSmpp(smsc.port, { callTimeoutMs: 3_000, credentials: { window: 1 } });
  expect(await send()).toEqual(UNKNOWN);
  smsc.onSubmit = accept;
  expect(await send()).toMatchObject({ kind: 'accepted' });
  expect(smsc.submits).toHaveLength(2);
});

test('a response that arrives after the deadline proves the acceptance of its message', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const { send, statuses, account } = await openSmpp(smsc.port, { callTimeoutMs: 300 });
  const messageId = '0197a000-0000-7000-8000-000000000077';
  expect(await send({ messageId })).toEqual(UNKNOWN);
  expect(await send()).toEqual(UNKNOWN);
  // On a busy machine, a message may arrive after its call has ended.
  await vi.waitFor(() => expect(held).toHaveLength(2), EVENTUALLY);
  held[0]?.respond(0, 'late');
  // A late refusal proves nothing that the service could record.
  held[1]?.respond(STATUS.ESME_RINVDSTADR);
  await vi.waitFor(() => expect(statuses).toHaveLength(1), EVENTUALLY);
  expect(statuses).toEqual([
    expect.objectContaining({
      messageId,
      sid: 'late',
      vendorAccountId: account.vendorAccountId,
      status: 'queued',
    }),
  ]);
});

test('a response with an unknown sequence number changes nothing', async () => {
  const smsc = await startSmsc({
    onSubmit(submit) {
      const { peer, pdu } = submit;
      peer.session.respond(
        { command: 'submit_sm_resp', status: 0, messageId: 'of another message' },
        pdu.sequence + 1_000,
      );
      accept(submit);
    },
  });
  const { send, statuses } = await openSmpp(smsc.port);
  expect(await send()).toMatchObject({
    kind: 'accepted',
    message: { sid: expect.stringMatching(/^id-/) },
  });
  expect(await send()).toMatchObject({
    kind: 'accepted',
    message: { sid: expect.stringMatching(/^id-/) },
  });
  expect(statuses).toEqual([]);
});

test('responses in a different order are matched to their messages', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const { send } = await openSmpp(smsc.port);
  const numbers = Array.from({ length: 10 }, (_, index) => `+1555000000${index}`);
  const outcomes = Promise.all(numbers.map((to) => send({ to })));
  await vi.waitFor(() => expect(held).toHaveLength(10), EVENTUALLY);
  for (const submit of held.toReversed()) submit.respond(0, `id-${submit.pdu.destination}`);
  expect(await outcomes).toMatchObject(
    numbers.map((to) => ({ kind: 'accepted', message: { sid: `id-${to.slice(1)}` } })),
  );
});

test('no more messages than the window allows wait for a response', async () => {
  let waiting = 0;
  let most = 0;
  const smsc = await startSmsc({
    onSubmit(submit) {
      most = Math.max(most, (waiting += 1));
      setTimeout(() => {
        waiting -= 1;
        accept(submit);
      }, 2);
    },
  });
  const { send } = await openSmpp(smsc.port, { credentials: { window: 7 } });
  const bodies = Array.from({ length: 200 }, (_, index) => 'x'.repeat(index % 5 === 0 ? 400 : 10));
  const outcomes = await Promise.all(bodies.map((body) => send({ body })));
  expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
  expect(smsc.submits).toHaveLength(200 + 2 * 40);
  expect(most).toBe(7);
});

test('a message that gets no slot in the window within half of its time is not sent', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined });
  const { send } = await openSmpp(smsc.port, { callTimeoutMs: 2_000, credentials: { window: 1 } });
  const mayWrite = vi.fn(() => true);
  const [first, second] = await Promise.all([send(), send({}, mayWrite)]);
  expect([first, second]).toMatchObject([
    { kind: 'unknown' },
    { kind: 'not_sent', reason: 'busy' },
  ]);
  expect(mayWrite).not.toHaveBeenCalled();
  expect(smsc.submits).toHaveLength(1);
});

test('under many concurrent faults, no outcome is misread and no message is sent twice', async () => {
  const faults: ((submit: Submit) => void)[] = [
    accept,
    accept,
    accept,
    (submit) => {
      accept(submit);
      submit.peer.socket.end();
    },
    // Node leaks a socket that is reset while it ends.
    ({ peer: { socket } }) => void (socket.writableEnded || socket.resetAndDestroy()),
    ({ respond }) => respond(STATUS.ESME_RTHROTTLED),
    ({ respond }) => respond(STATUS.ESME_RSYSERR),
    () => undefined,
  ];
  let turn = 0;
  const smsc = await startSmsc({
    onSubmit: (submit) => faults[(turn = (turn * 13 + 5) % 1_009) % faults.length]?.(submit),
    onConnection(socket) {
      if (smsc.connections % 5 === 0) socket.resetAndDestroy();
    },
  });
  const credentials = { window: 8 };
  const timings = { firstPauseMs: 5, longestPauseMs: 5 };
  const { send } = await openSmpp(smsc.port, { callTimeoutMs: 1_500, credentials, timings });
  const outcomes = await Promise.all(
    Array.from({ length: 400 }, async (_, index) => {
      await delay(index * 5);
      const to = `+1555${String(index).padStart(7, '0')}`;
      return { to, outcome: await send({ to }, () => index % 11 !== 0) };
    }),
  );
  const seen = smsc.submits.map(({ pdu }) => `+${pdu.destination}`);
  expect(new Set(seen).size).toBe(seen.length);
  for (const { to, outcome } of outcomes) {
    if (outcome.kind === 'accepted') expect(outcome.message.sid).toContain(to.slice(1));
    if (outcome.kind === 'accepted') expect(seen).toContain(to);
    if (outcome.kind === 'not_sent') {
      expect(seen.includes(to)).toBe(outcome.reason === 'throttled');
    }
  }
  const kinds = new Set(outcomes.map(({ outcome }) => outcome.kind));
  expect(kinds).toEqual(new Set(['accepted', 'unknown', 'not_sent']));
});
