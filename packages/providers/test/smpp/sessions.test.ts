import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { STATUS } from '@switchboard/smpp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LOCALHOST_CERTIFICATE } from '../fault-server.ts';
import { createAccount, createAdapter, openSession, openSmpp, REQUEST } from './open-smpp.ts';
import { accept, startSmsc } from './start-smsc.ts';

test('a session binds with the credentials of the account, as a transceiver', async () => {
  const smsc = await startSmsc();
  const { states } = await openSmpp(smsc.port, { credentials: { system_type: 'VMA' } });
  expect(smsc.binds).toMatchObject([
    {
      command: 'bind_transceiver',
      systemId: 'switchboard',
      password: 'a secret of many characters',
      systemType: 'VMA',
      interfaceVersion: 0x34,
    },
  ]);
  expect(states).toEqual([{ kind: 'bound' }]);
});

test('with a transmitter and a receiver, messages are sent over one bind and receipts arrive over the other', async () => {
  const smsc = await startSmsc();
  const credentials = { bind: 'transmitter_receiver' };
  const { send, statuses } = await openSmpp(smsc.port, { credentials });
  expect(smsc.binds.map(({ command }) => command).toSorted()).toEqual([
    'bind_receiver',
    'bind_transmitter',
  ]);
  expect(await send()).toMatchObject({ kind: 'accepted' });
  expect(smsc.submits[0]?.peer.role).toBe('transmitter');
  await smsc.deliver({ esmClass: 4, shortMessage: Buffer.from('id:7 stat:DELIVRD') }, 'receiver');
  expect(statuses).toMatchObject([{ sid: '7', status: 'delivered' }]);
});

test('a session is bound over TLS only if the certificate is trusted and valid for the host', async () => {
  const smsc = await startSmsc({ tls: true });
  const credentials = { tls: true, host: 'localhost' };
  const { send } = await openSmpp(smsc.port, { credentials, ca: LOCALHOST_CERTIFICATE });
  expect(await send()).toMatchObject({ kind: 'accepted' });
  const { bytesReceived } = smsc;
  for (const [host, ca] of [
    ['localhost', undefined],
    ['127.0.0.1', LOCALHOST_CERTIFICATE],
  ] as const) {
    const adapter = createAdapter({ ...(ca !== undefined && { ca }) });
    const account = createAccount(adapter, { port: smsc.port, tls: true, host });
    const { session } = openSession(adapter, account);
    await vi.waitFor(
      () =>
        expect(session.state).toEqual({
          kind: 'connecting',
          detail: expect.stringMatching(/self-signed certificate|ERR_TLS_CERT_ALTNAME_INVALID/),
        }),
      EVENTUALLY,
    );
    expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, isUnavailable: true });
  }
  expect(smsc.bytesReceived).toBe(bytesReceived);
});

test('a host with an address that is not allowed gets no connection', async () => {
  const smsc = await startSmsc();
  const checked: string[] = [];
  const isAllowedAddress = (address: string) => {
    checked.push(address);
    return false;
  };
  for (const options of [{ isAllowedAddress }, { isAllowedAddress: undefined }]) {
    // Without a rule, only public addresses are allowed.
    const adapter = createAdapter(options as object);
    const account = createAccount(adapter, { port: smsc.port, host: 'localhost' });
    const { session } = openSession(adapter, account);
    expect(await adapter.verifyAccount(account)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('public internet address'),
    });
    await vi.waitFor(
      () => expect(session.state).toHaveProperty('detail', expect.stringContaining('public')),
      EVENTUALLY,
    );
  }
  expect(checked.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
  expect(smsc.connections).toBe(0);
});

test('a session binds again after its connection ends, and after an outage of the SMSC', async () => {
  const smsc = await startSmsc();
  const { send, waitFor, states } = await openSmpp(smsc.port);
  smsc.bound()?.socket.resetAndDestroy();
  await vi.waitFor(() => expect(smsc.binds).toHaveLength(2), EVENTUALLY);
  await waitFor('bound');
  expect(await send()).toMatchObject({ kind: 'accepted' });
  await smsc.stop();
  await waitFor('connecting');
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  await smsc.restart();
  await waitFor('bound');
  expect(await send()).toMatchObject({ kind: 'accepted' });
  expect(states.filter(({ kind }) => kind === 'bound')).toHaveLength(3);
});

test('the pauses between connections grow up to their limit', async () => {
  const opened: number[] = [];
  const smsc = await startSmsc({
    onConnection(socket) {
      opened.push(performance.now());
      socket.resetAndDestroy();
    },
  });
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const timings = { firstPauseMs: 20, longestPauseMs: 640 };
  const adapter = createAdapter({ timings });
  openSession(adapter, createAccount(adapter, { port: smsc.port }));
  await vi.waitFor(() => expect(opened.length).toBeGreaterThanOrEqual(7), EVENTUALLY);
  // Half of 20, 40, 80, 160, 320 and 640: timers never fire early.
  expect((opened[6] ?? 0) - (opened[0] ?? 0)).toBeGreaterThan(600);
});

test.each(['ESME_RINVPASWD', 'ESME_RINVSYSID'] as const)(
  'credentials that are refused with %s are reported as refused, and rarely retried',
  async (name) => {
    const smsc = await startSmsc({ onBind: () => STATUS[name] });
    const adapter = createAdapter({ timings: { refusedPauseMs: 60_000 } });
    const account = createAccount(adapter, { port: smsc.port });
    const { waitFor, session } = openSession(adapter, account);
    await waitFor('refused');
    const detail = expect.stringContaining(name);
    expect(session.state).toEqual({ kind: 'refused', detail });
    const outcome = await adapter.send(account, REQUEST, () => true);
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'credentials', detail });
    expect(await adapter.probe(account)).toMatchObject({ kind: 'refused', detail });
    expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, isRefused: true });
    // One bind by the session and one by the verification.
    expect(smsc.binds).toHaveLength(2);
  },
);

test('a bind without a response is abandoned', async () => {
  const smsc = await startSmsc({ onBind: () => null });
  const adapter = createAdapter({ timings: { bindTimeoutMs: 200 } });
  const account = createAccount(adapter, { port: smsc.port });
  openSession(adapter, account);
  await vi.waitFor(() => expect(smsc.binds.length).toBeGreaterThan(1), EVENTUALLY);
  await vi.waitFor(() => expect(smsc.peers[0]?.socket.destroyed).toBe(true), EVENTUALLY);
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, isUnavailable: true });
});

test('verification binds as a transmitter, unbinds, and accepts an account whose binds are all in use', async () => {
  const smsc = await startSmsc();
  const adapter = createAdapter();
  const account = createAccount(adapter, { port: smsc.port });
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: true });
  expect(smsc.binds).toMatchObject([{ command: 'bind_transmitter' }]);
  expect(smsc.others).toMatchObject([{ command: 'unbind' }]);
  await vi.waitFor(() => expect(smsc.peers[0]?.socket.destroyed).toBe(true), EVENTUALLY);
  smsc.onBind = () => STATUS.ESME_RALYBND;
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: true });
});

test('an idle connection is checked with enquire_link, and replaced if the SMSC does not respond', async () => {
  const smsc = await startSmsc();
  const timings = { enquireLinkMs: 50, enquireTimeoutMs: 5_000 };
  const { waitFor, send } = await openSmpp(smsc.port, { timings });
  await delay(1_000);
  expect(smsc.binds).toHaveLength(1);
  // The connection stays open, but nothing is read from it.
  smsc.bound()?.socket.pause();
  await vi.waitFor(() => expect(smsc.binds).toHaveLength(2), EVENTUALLY);
  await waitFor('bound');
  expect(await send()).toMatchObject({ kind: 'accepted' });
});

test('a probe succeeds if the SMSC answers an enquire_link, and otherwise fails', async () => {
  const smsc = await startSmsc();
  const { adapter, account } = await openSmpp(smsc.port, { timings: { enquireTimeoutMs: 3_000 } });
  expect(await adapter.probe(account)).toEqual({ kind: 'answered' });
  smsc.bound()?.socket.pause();
  expect(await adapter.probe(account)).toMatchObject({ kind: 'failed' });
  expect(await createAdapter().probe(account)).toMatchObject({ kind: 'failed' });
});

test('several sessions of an account share its messages, each within its window', async () => {
  const smsc = await startSmsc({ onSubmit: (submit) => void setTimeout(() => accept(submit), 5) });
  const { adapter, account, send } = await openSmpp(smsc.port, { credentials: { window: 2 } });
  await openSession(adapter, account).waitFor('bound');
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => send()));
  expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
  for (const peer of smsc.peers) {
    expect(smsc.submits.filter((submit) => submit.peer === peer).length).toBeGreaterThan(10);
  }
});
