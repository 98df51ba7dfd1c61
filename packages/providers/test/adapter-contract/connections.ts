import { setTimeout as delay } from 'node:timers/promises';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import { respond, LOCALHOST_CERTIFICATE, type ReceivedRequest } from '../fault-server.ts';
import { type AdapterContract, UNREACHABLE } from './open-contract.ts';

/** Tests the limit of connections, their reuse and how they are closed. */
export function describeConnections(contract: AdapterContract): void {
  const { vendor, createAdapter, start, send, accept } = contract;

  describe(`${contract.name}: connections`, () => {
    test('connections are reused, stay within the limit, and carry one request at a time', async () => {
      const busy = new Set<unknown>();
      let overlapped = false;
      const server = await start((received) => {
        if (busy.has(received.socket)) overlapped = true;
        busy.add(received.socket);
        setTimeout(() => {
          busy.delete(received.socket);
          accept(received);
        }, 2);
      });
      const adapter = createAdapter({
        apiUrl: server.url,
        maxConnections: 4,
        // Not a test of speed: 100 calls share four connections.
        callTimeoutMs: 30_000,
      });
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => send(adapter)));
      expect(outcomes.every((outcome) => outcome.kind === 'accepted')).toBe(true);
      expect(server.requests).toHaveLength(100);
      expect(server.connections).toBeLessThanOrEqual(4);
      expect(overlapped).toBe(false);
    });

    test('connections stay within the limit while the provider refuses them and after it accepts them again', async () => {
      // The number of the last connection that is refused.
      let refusedUpTo = Infinity;
      let alive = 0;
      let maxAlive = 0;
      const server = await start((received) => void setTimeout(() => accept(received), 2), {
        tls: true,
        async onConnection(socket) {
          const number = server.connections;
          maxAlive = Math.max(maxAlive, (alive += 1));
          socket.on('close', () => (alive -= 1));
          await delay(5);
          if (number <= refusedUpTo) socket.resetAndDestroy();
        },
      });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        maxConnections: 4,
        // Calls must not end while they wait for a connection, however busy the machine is.
        callTimeoutMs: 60_000,
        connectTimeoutMs: 60_000,
      });
      // These calls arrive while earlier ones wait and fail.
      const sendMany = () =>
        Promise.all(
          Array.from({ length: 60 }, (_, index) => delay(index).then(() => send(adapter))),
        );
      const refused = await sendMany();
      expect(refused.every((outcome) => outcome.kind === 'not_sent')).toBe(true);
      // The server accepts connections again while calls wait for the failing ones.
      refusedUpTo = server.connections + 20;
      const kinds = new Set((await sendMany()).map((outcome) => outcome.kind));
      expect(kinds).toEqual(new Set(['not_sent', 'accepted']));
      expect(maxAlive).toBe(4);
    });

    test('no connection is opened for calls that timed out while they waited for one', async () => {
      const stuck: (() => void)[] = [];
      const server = await start(accept, {
        tls: true,
        onConnection: (socket) =>
          new Promise(() => void stuck.push(() => void socket.resetAndDestroy())),
      });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        maxConnections: 1,
        callTimeoutMs: 200,
        connectTimeoutMs: 200,
      });
      const outcomes = await Promise.all([send(adapter), send(adapter), send(adapter)]);
      expect(outcomes).toMatchObject([UNREACHABLE, UNREACHABLE, UNREACHABLE]);
      stuck[0]?.();
      await delay(100);
      expect(server.connections).toBe(1);
    });

    test('the next call after the provider closed an idle connection is accepted', async () => {
      const server = await start((received) => {
        accept(received);
        received.socket.end();
      });
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      for (let call = 1; call <= 5; call += 1) {
        expect(await send(adapter)).toMatchObject({ kind: 'accepted' });
        await vi.waitFor(
          () => expect(server.requests.at(-1)?.socket.destroyed).toBe(true),
          EVENTUALLY,
        );
      }
      expect(server.requests).toHaveLength(5);
    });

    test('a request on a reused connection that is reset has an unknown outcome and is not repeated', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      await send(adapter);
      server.onRequest = ({ socket }) => void socket.resetAndDestroy();
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
      expect(server.connections).toBe(1);
      expect(server.requests).toHaveLength(2);
    });

    test('a connection that the provider is about to close is not reused', async () => {
      const server = await start((received) =>
        respond(received, vendor.acceptance.status, vendor.acceptance.body, {
          'keep-alive': 'timeout=1',
        }),
      );
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      await send(adapter);
      await send(adapter);
      expect(server.connections).toBe(2);
    });

    test('a connection is closed after four idle seconds, however long the provider would keep it', async () => {
      const server = await start((received) =>
        respond(received, vendor.acceptance.status, vendor.acceptance.body, {
          'keep-alive': 'timeout=60',
        }),
      );
      await send(createAdapter({ apiUrl: server.url }));
      const [received] = server.requests;
      await delay(3_500);
      expect(received?.socket.destroyed).toBe(false);
      await vi.waitFor(() => expect(received?.socket.destroyed).toBe(true), EVENTUALLY);
    });

    test('closing an adapter waits for calls in flight', async () => {
      const held: ReceivedRequest[] = [];
      const server = await start((received) => void held.push(received));
      const adapter = createAdapter({ apiUrl: server.url });
      const outcome = send(adapter);
      await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
      const order: string[] = [];
      const closed = adapter.close().then(() => order.push('closed'));
      void outcome.then(() => order.push('answered'));
      held.forEach(accept);
      await closed;
      expect(order).toEqual(['answered', 'closed']);
      expect(await outcome).toMatchObject({ kind: 'accepted' });
    });
  });
}
