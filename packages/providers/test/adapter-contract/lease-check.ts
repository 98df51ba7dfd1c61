import { setTimeout as delay } from 'node:timers/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import { LOCALHOST_CERTIFICATE, type ReceivedRequest } from '../fault-server.ts';
import { type AdapterContract } from './open-contract.ts';

/** Tests the check of the lease, just before the request is written. */
export function describeLeaseCheck(contract: AdapterContract): void {
  const { createAdapter, start, send, accept } = contract;

  describe(`${contract.name}: the check of the lease`, () => {
    test('nothing is written if the lease has expired when a new connection opens', async () => {
      for (const tls of [false, true]) {
        const server = await start(accept, { tls });
        const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
        expect(await send(adapter, () => false)).toMatchObject({
          kind: 'not_sent',
          reason: 'lease_expired',
        });
        await adapter.close();
        expect(server.bytesReceived).toBe(0);
        await vi.waitFor(() => expect(server.connections).toBe(1), EVENTUALLY);
      }
    });

    test('the lease is checked only after a connection is open', async () => {
      let startHandshake = () => {};
      const handshake = new Promise<void>((resolve) => (startHandshake = resolve));
      const server = await start(accept, { tls: true, onConnection: () => handshake });
      const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
      const mayWrite = vi.fn(() => false);
      const outcome = send(adapter, mayWrite);
      await vi.waitFor(() => expect(server.connections).toBe(1), EVENTUALLY);
      await delay(50);
      expect(mayWrite).not.toHaveBeenCalled();
      startHandshake();
      expect(await outcome).toMatchObject({ reason: 'lease_expired' });
      expect(mayWrite).toHaveBeenCalledTimes(1);
    });

    test('the lease is checked in the same tick in which the request is written', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      let sameTick = false;
      const writtenInSameTick: boolean[] = [];
      const onWritten = () => void writtenInSameTick.push(sameTick);
      subscribe('undici:client:sendHeaders', onWritten);
      subscribe('undici:request:bodySent', onWritten);
      try {
        const mayWrite = () => {
          sameTick = true;
          process.nextTick(() => (sameTick = false));
          return true;
        };
        // On a new connection, then on a reused one.
        for (let call = 1; call <= 2; call += 1) {
          expect(await send(adapter, mayWrite)).toMatchObject({ kind: 'accepted' });
        }
      } finally {
        unsubscribe('undici:client:sendHeaders', onWritten);
        unsubscribe('undici:request:bodySent', onWritten);
      }
      expect(server.connections).toBe(1);
      expect(writtenInSameTick).toEqual([true, true, true, true]);
    });

    test('the lease of a call that waited for a connection is checked when the call gets one, and if the lease has expired, the next call gets the connection', async () => {
      const held: ReceivedRequest[] = [];
      const server = await start((received) => void held.push(received));
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      const first = send(adapter);
      await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
      const bytesOfOne = server.bytesReceived;

      let leaseLeft = true;
      const mayWrite = vi.fn(() => leaseLeft);
      const second = send(adapter, mayWrite);
      const third = send(adapter);
      leaseLeft = false;
      await delay(50);
      expect(mayWrite).not.toHaveBeenCalled();

      server.onRequest = accept;
      held.forEach(accept);
      const outcomes = await Promise.all([first, second, third]);
      expect(outcomes).toMatchObject([
        { kind: 'accepted' },
        { kind: 'not_sent', reason: 'lease_expired' },
        { kind: 'accepted' },
      ]);
      expect(mayWrite).toHaveBeenCalledTimes(1);
      expect(server.bytesReceived).toBe(2 * bytesOfOne);
      expect(server.connections).toBe(1);
    });

    test('nothing is written if the check of the lease throws', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url });
      const outcome = await send(adapter, () => {
        throw new Error('no clock');
      });
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(server.bytesReceived).toBe(0);
    });
  });
}
