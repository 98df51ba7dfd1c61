import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { createAccount, createAdapter, openSession, openSmpp } from './open-smpp.ts';
import { accept, startSmsc, type Submit } from './start-smsc.ts';

test('a session that closes sends nothing more, waits for responses, unbinds and disconnects', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const { send, session, states } = await openSmpp(smsc.port);
  const first = send();
  await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
  const order: string[] = [];
  void first.then(() => order.push('answered'));
  const closed = session.close(20_000).then(() => order.push('closed'));
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  held.forEach(accept);
  await closed;
  expect(await first).toMatchObject({ kind: 'accepted' });
  expect(order).toEqual(['answered', 'closed']);
  expect(smsc.submits).toHaveLength(1);
  expect(smsc.others).toMatchObject([{ command: 'unbind' }]);
  expect(states).toEqual([{ kind: 'bound' }, { kind: 'closed' }]);
  await vi.waitFor(() => expect(smsc.peers[0]?.socket.destroyed).toBe(true), EVENTUALLY);
  expect(smsc.connections).toBe(1);
});

test('a closing session acknowledges what it has received after it is stored', async () => {
  const smsc = await startSmsc();
  let finish = (): void => undefined;
  const stored = new Promise<void>((resolve) => (finish = resolve));
  const { session, statuses } = await openSmpp(smsc.port, { store: () => stored });
  const delivered = smsc.deliver({ esmClass: 4, shortMessage: Buffer.from('id:7 stat:DELIVRD') });
  await vi.waitFor(() => expect(statuses).toHaveLength(1), EVENTUALLY);
  const closed = session.close(20_000);
  finish();
  expect(await delivered).toMatchObject({ type: 'response', pdu: { status: 0 } });
  await closed;
});

test('a session that closes without a grace period disconnects immediately, and its messages have unknown outcomes', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined });
  const { send, session } = await openSmpp(smsc.port);
  const outcome = send();
  await vi.waitFor(() => expect(smsc.submits).toHaveLength(1), EVENTUALLY);
  await session.close(0);
  expect(await outcome).toMatchObject({ kind: 'unknown' });
  expect(smsc.others).toEqual([]);
});

test('a session closes within its grace period if the SMSC does not respond, even while it binds', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined, onBind: () => 0 });
  const { send, session, adapter } = await openSmpp(smsc.port);
  const outcome = send();
  await vi.waitFor(() => expect(smsc.submits).toHaveLength(1), EVENTUALLY);
  smsc.bound()?.socket.pause();
  await session.close(300);
  expect(await outcome).toMatchObject({ kind: 'unknown' });

  smsc.onBind = () => null;
  const binding = openSession(adapter, createAccount(adapter, { port: smsc.port }));
  await vi.waitFor(() => expect(smsc.binds).toHaveLength(2), EVENTUALLY);
  await binding.session.close(300);
  expect(binding.session.state).toEqual({ kind: 'closed' });
  expect(smsc.connections).toBe(2);
});

test('messages that wait for a slot in the window when the last session closes are not sent', async () => {
  const smsc = await startSmsc({ onSubmit: () => undefined });
  const { send, session } = await openSmpp(smsc.port, { credentials: { window: 1 } });
  const first = send();
  const second = send();
  await vi.waitFor(() => expect(smsc.submits).toHaveLength(1), EVENTUALLY);
  await session.close(0);
  expect(await Promise.all([first, second])).toMatchObject([
    { kind: 'unknown' },
    { kind: 'not_sent', reason: 'unreachable' },
  ]);
});

test('closing the adapter closes its sessions, and a later message is not sent', async () => {
  const smsc = await startSmsc();
  const { adapter, session, send } = await openSmpp(smsc.port);
  await adapter.close();
  expect(session.state).toEqual({ kind: 'closed' });
  expect(await send()).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
  expect(smsc.others).toMatchObject([{ command: 'unbind' }]);
});

test('a session with malformed credentials is refused and opens no connection', async () => {
  const adapter = createAdapter();
  const account = { vendorAccountId: 'x@y:1', secret: 'not JSON', senderPool: null };
  const { session } = openSession(adapter, account);
  expect(session.state).toMatchObject({ kind: 'refused' });
  expect(adapter.describeCredentials(account)).toEqual({});
  expect(await adapter.verifyAccount(account)).toMatchObject({ ok: false, isRefused: true });
  await session.close(0);
});
