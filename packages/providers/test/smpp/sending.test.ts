import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { STATUS, type StatusName } from '@switchboard/smpp';
import { expect, test, vi } from 'vitest';
import { createAccount, createAdapter, openSmpp, REQUEST } from './open-smpp.ts';
import { accept, startSmsc, type Submit } from './start-smsc.ts';

test('an accepted message has the message ID from the response', async () => {
  const smsc = await startSmsc();
  const { send, account } = await openSmpp(smsc.port);
  expect(await send()).toEqual({
    kind: 'accepted',
    message: expect.objectContaining({
      sid: 'id-15551234567-2',
      vendorAccountId: account.vendorAccountId,
      status: 'queued',
      to: REQUEST.to,
      direction: 'outbound',
    }),
  });
  expect(account.vendorAccountId).toBe(`switchboard@127.0.0.1:${smsc.port}`);
  expect(smsc.submits.map(({ pdu }) => pdu)).toMatchObject([
    {
      source: '15557654321',
      sourceTon: 1,
      sourceNpi: 1,
      destination: '15551234567',
      destinationTon: 1,
      destinationNpi: 1,
      dataCoding: 0,
      registeredDelivery: 1,
      shortMessage: Buffer.from('Hello'),
    },
  ]);
});

test.each([
  ['+15557654321', { source: '15557654321', sourceTon: 1, sourceNpi: 1 }],
  ['12345', { source: '12345', sourceTon: 3, sourceNpi: 0 }],
  ['My Shop', { source: 'My Shop', sourceTon: 5, sourceNpi: 0 }],
])(
  'the sender %s is sent with the type of number that matches its kind',
  async (from, expected) => {
    const smsc = await startSmsc();
    const { send } = await openSmpp(smsc.port);
    await send({ from });
    expect(smsc.submits.map(({ pdu }) => pdu)).toMatchObject([expected]);
  },
);

test('the type of number and numbering plan that an account sets override the defaults', async () => {
  const smsc = await startSmsc();
  const credentials = { source_ton: 0, source_npi: 9, destination_ton: 2, destination_npi: 8 };
  const { send } = await openSmpp(smsc.port, { credentials });
  await send();
  const expected = { sourceTon: 0, sourceNpi: 9, destinationTon: 2, destinationNpi: 8 };
  expect(smsc.submits.map(({ pdu }) => pdu)).toMatchObject([expected]);
});

test('a long text is sent part by part over one bind, and only the last part requests a receipt', async () => {
  const open: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void open.push(submit) });
  const { send } = await openSmpp(smsc.port);
  const outcome = send({ body: 'x'.repeat(400) });
  for (const part of [1, 2, 3]) {
    await vi.waitFor(() => expect(smsc.submits).toHaveLength(part), EVENTUALLY);
    open.shift()?.respond(0, `part-${part}`);
  }
  expect(await outcome).toMatchObject({ kind: 'accepted', message: { sid: 'part-3' } });
  const headers = smsc.submits.map(({ pdu }) => [...pdu.shortMessage.subarray(0, 6)]);
  const reference = headers[0]?.[3];
  expect(headers).toEqual([1, 2, 3].map((part) => [5, 0, 3, reference, 3, part]));
  expect(smsc.submits.map(({ pdu }) => pdu.registeredDelivery)).toEqual([0, 0, 1]);
});

test('a long text is one message with `payload`', async () => {
  const smsc = await startSmsc();
  const { send } = await openSmpp(smsc.port, { credentials: { long_messages: 'payload' } });
  expect(await send({ body: 'ж'.repeat(400) })).toMatchObject({ kind: 'accepted' });
  expect(smsc.submits).toHaveLength(1);
  expect(smsc.submits[0]?.pdu.tlvs.get(0x0424)).toHaveLength(800);
});

test('a message without a sender, or with media, is withheld from the provider', async () => {
  const smsc = await startSmsc();
  const { send } = await openSmpp(smsc.port);
  expect(await send({ from: null })).toMatchObject({ kind: 'withheld', code: 'no_sender' });
  const mediaUrls = ['https://x.example/cat.png'];
  expect(await send({ mediaUrls })).toMatchObject({
    kind: 'withheld',
    code: 'media_not_supported',
    isAccountOnly: true,
  });
  expect(smsc.submits).toEqual([]);
});

const REFUSALS: [StatusName, object][] = [
  ['ESME_RTHROTTLED', { kind: 'not_sent', reason: 'throttled', code: 'ESME_RTHROTTLED' }],
  ['ESME_RMSGQFUL', { kind: 'not_sent', reason: 'throttled', code: 'ESME_RMSGQFUL' }],
  ['ESME_RINVBNDSTS', { kind: 'not_sent', reason: 'unreachable', code: null }],
  ['ESME_RINVDSTADR', { kind: 'rejected', code: 'ESME_RINVDSTADR', isOptOut: false }],
  ['ESME_RINVSRCADR', { kind: 'rejected', code: 'ESME_RINVSRCADR', isAccountOnly: true }],
  ['ESME_RSUBMITFAIL', { kind: 'rejected', code: 'ESME_RSUBMITFAIL', isAccountOnly: true }],
  ['ESME_RSYSERR', { kind: 'unknown' }],
  ['ESME_RUNKNOWNERR', { kind: 'unknown' }],
];

test('an error that the account lists in `throttle_codes` delays a message, and is a refusal without it', async () => {
  const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(0x0403) });
  const refused = await openSmpp(smsc.port);
  expect(await refused.send()).toMatchObject({ kind: 'rejected', isAccountOnly: true });
  const credentials = { system_id: 'other', throttle_codes: '0x0400, 1027' };
  const delayed = await openSmpp(smsc.port, { credentials });
  expect(delayed.adapter.describeCredentials(delayed.account)).toMatchObject({
    throttle_codes: '0x0400, 0x0403',
  });
  expect(await delayed.send()).toMatchObject({
    kind: 'not_sent',
    reason: 'throttled',
    code: '0x00000403',
  });
});

test.each(REFUSALS)(
  'a submit_sm answered with %s has the matching outcome',
  async (name, expected) => {
    const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(STATUS[name]) });
    const { send } = await openSmpp(smsc.port);
    const outcome = await send();
    expect(outcome).toMatchObject({ ...expected, detail: expect.stringContaining(name) });
    expect('isAccountOnly' in outcome).toBe('isAccountOnly' in expected);
    expect(smsc.submits).toHaveLength(1);
  },
);

test('a vendor-specific error code rejects the message for this account only', async () => {
  const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(0x40a) });
  const { send } = await openSmpp(smsc.port);
  expect(await send()).toMatchObject({ kind: 'rejected', code: '0x0000040a', isAccountOnly: true });
});

test('a message is rejected if its first part is refused, and its outcome is unknown if a later part is refused', async () => {
  const body = 'x'.repeat(400);
  const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(STATUS.ESME_RINVDSTADR) });
  const { send } = await openSmpp(smsc.port);
  expect(await send({ body })).toMatchObject({ kind: 'rejected', code: 'ESME_RINVDSTADR' });
  expect(smsc.submits).toHaveLength(1);
  smsc.onSubmit = (submit) =>
    smsc.submits.length === 3 ? submit.respond(STATUS.ESME_RINVDSTADR) : accept(submit);
  expect(await send({ body })).toEqual({
    kind: 'unknown',
    detail: expect.stringMatching(/accepted part 1 of 3, then: .*ESME_RINVDSTADR/),
  });
  expect(smsc.submits).toHaveLength(3);
});

test('a message is not sent if its first part is throttled, and a later part that is throttled is retried until the SMSC accepts it', async () => {
  const body = 'x'.repeat(200);
  const smsc = await startSmsc({ onSubmit: ({ respond }) => respond(STATUS.ESME_RTHROTTLED) });
  const { send } = await openSmpp(smsc.port);
  expect(await send({ body })).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
  expect(smsc.submits).toHaveLength(1);
  smsc.onSubmit = (submit) =>
    [3, 4].includes(smsc.submits.length) ? submit.respond(STATUS.ESME_RTHROTTLED) : accept(submit);
  expect(await send({ body })).toMatchObject({ kind: 'accepted' });
  const parts = smsc.submits.slice(1).map(({ pdu }) => pdu.shortMessage[5]);
  expect(parts).toEqual([1, 2, 2, 2]);
});

test('while a later part of a message is throttled, no other message begins, and it is completed even after the time limit of a call', async () => {
  let isThrottling = true;
  const smsc = await startSmsc({
    onSubmit: (submit) =>
      smsc.submits.length > 1 && isThrottling
        ? submit.respond(STATUS.ESME_RTHROTTLED)
        : accept(submit),
  });
  const timings = { throttledPauseMs: 50 };
  const { send } = await openSmpp(smsc.port, { callTimeoutMs: 1_000, timings });
  const long = send({ body: 'x'.repeat(200) });
  await vi.waitFor(() => expect(smsc.submits.length).toBeGreaterThan(2), EVENTUALLY);
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'busy' });
  await delay(1_000);
  const next = send();
  await delay(100);
  isThrottling = false;
  expect(await long).toMatchObject({ kind: 'accepted' });
  expect(new Set(smsc.submits.map(({ pdu }) => pdu.esmClass))).toEqual(new Set([0x40]));
  expect(await next).toMatchObject({ kind: 'accepted' });
});

test('a message whose first parts were accepted is abandoned when its lease no longer permits a write', async () => {
  const smsc = await startSmsc({
    onSubmit: (submit) =>
      smsc.submits.length > 1 ? submit.respond(STATUS.ESME_RTHROTTLED) : accept(submit),
  });
  const { send } = await openSmpp(smsc.port, { timings: { throttledPauseMs: 20 } });
  const outcome = await send({ body: 'x'.repeat(200) }, () => smsc.submits.length < 5);
  expect(outcome).toMatchObject({ kind: 'unknown' });
  expect(smsc.submits).toHaveLength(5);
  expect(await send({}, () => true)).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
});

test('without a session, a message is not sent and no connection is opened', async () => {
  const smsc = await startSmsc();
  const adapter = createAdapter();
  const account = createAccount(adapter, { port: smsc.port });
  const outcome = await adapter.send(account, REQUEST, () => true);
  expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unreachable', code: null });
  expect(smsc.connections).toBe(0);
});

test('a session sends no message of an account that has the same id but another password', async () => {
  const smsc = await startSmsc();
  const { adapter, account } = await openSmpp(smsc.port);
  const other = createAccount(adapter, { port: smsc.port, password: 'a guess' });
  expect(other.vendorAccountId).toBe(account.vendorAccountId);
  const outcome = await adapter.send(other, REQUEST, () => true);
  expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  expect(smsc.submits).toEqual([]);
});
