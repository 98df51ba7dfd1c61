import { EVENTUALLY } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openSmpp } from './open-smpp.ts';
import { accept, startSmsc, type Submit } from './start-smsc.ts';

const EXPIRED = { kind: 'not_sent', reason: 'lease_expired' };

test('nothing is written if the lease has expired, or if its check throws', async () => {
  const smsc = await startSmsc();
  const { send } = await openSmpp(smsc.port);
  const { bytesReceived } = smsc;
  expect(await send({}, () => false)).toMatchObject(EXPIRED);
  const broken = (): boolean => {
    throw new Error('no clock');
  };
  expect(await send({}, broken)).toMatchObject({ kind: 'not_sent' });
  expect(smsc.bytesReceived).toBe(bytesReceived);
});

test('nothing is written after the process has lost the lease of the session', async () => {
  const smsc = await startSmsc();
  const { send, lease } = await openSmpp(smsc.port);
  lease.isHeld = false;
  expect(await send()).toMatchObject(EXPIRED);
  expect(smsc.submits).toEqual([]);
});

test('the lease is checked in the same tick in which the message is written', async () => {
  const smsc = await startSmsc();
  const { send } = await openSmpp(smsc.port);
  let sameTick = false;
  const client = smsc.bound()?.socket;
  if (client === undefined) throw new Error('not bound');
  const { Socket } = await import('node:net');
  const writes: boolean[] = [];
  const write = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (
    this: InstanceType<typeof Socket>,
    ...args
  ) {
    // Only the client's side connected to this port.
    if (this.remotePort === smsc.port) writes.push(sameTick);
    write.mockRestore();
    return this.write(...args);
  });
  const outcome = await send({}, () => {
    sameTick = true;
    process.nextTick(() => (sameTick = false));
    return true;
  });
  expect(outcome).toMatchObject({ kind: 'accepted' });
  expect(writes).toEqual([true]);
});

test('the lease of a message that waited for the window is checked when the message gets a slot, and if the lease has expired, the next message gets the slot', async () => {
  const held: Submit[] = [];
  const smsc = await startSmsc({ onSubmit: (submit) => void held.push(submit) });
  const { send } = await openSmpp(smsc.port, { credentials: { window: 1 } });
  const first = send();
  await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
  let leaseLeft = true;
  const mayWrite = vi.fn(() => leaseLeft);
  const second = send({}, mayWrite);
  const third = send();
  leaseLeft = false;
  await delay(50);
  expect(mayWrite).not.toHaveBeenCalled();
  smsc.onSubmit = accept;
  held.forEach(accept);
  expect(await Promise.all([first, second, third])).toMatchObject([
    { kind: 'accepted' },
    EXPIRED,
    { kind: 'accepted' },
  ]);
  expect(mayWrite).toHaveBeenCalledTimes(1);
  expect(smsc.submits).toHaveLength(2);
});

test('the lease is checked before every part, and a message whose lease expires between parts has an unknown outcome', async () => {
  const smsc = await startSmsc();
  const { send } = await openSmpp(smsc.port);
  let checks = 0;
  const outcome = await send({ body: 'x'.repeat(400) }, () => (checks += 1) < 3);
  expect(outcome).toEqual({
    kind: 'unknown',
    detail: expect.stringContaining('accepted parts 1 to 2 of 3, then: The lease expired'),
  });
  expect(smsc.submits).toHaveLength(2);
});
