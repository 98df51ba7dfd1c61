import { expect, test } from 'vitest';
import { respond, type ReceivedRequest } from '../fault-server.ts';
import { type AdapterContract } from './open-contract.ts';

/** Tests all faults at the same time. */
export function describeStormOfFaults(contract: AdapterContract): void {
  const { vendor, createAdapter, start, accept, give, request } = contract;

  test(`${contract.name}: under many faults at once, no outcome is misread and no call is made twice`, async () => {
    const faults: ((received: ReceivedRequest) => void)[] = [
      accept,
      accept,
      (received) => {
        accept(received);
        received.socket.destroy();
      },
      ({ socket }) => void socket.resetAndDestroy(),
      ({ socket }) => void socket.end(),
      (received) => respond(received, 500, ''),
      give(vendor.errors.throttled),
      () => {},
    ];
    let turn = 0;
    const server = await start(
      (received) => faults[(turn = (turn * 13 + 5) % 1_009) % faults.length]?.(received),
      {
        onConnection(socket) {
          if (server.connections % 5 === 0) socket.resetAndDestroy();
        },
      },
    );
    const adapter = createAdapter({ apiUrl: server.url, maxConnections: 8, callTimeoutMs: 1_500 });
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const to = `+1555${String(index).padStart(7, '0')}`;
        const mayWrite = () => index % 11 !== 0;
        return { to, outcome: await adapter.send(vendor.account, { ...request, to }, mayWrite) };
      }),
    );

    const seen = new Map<string, number>();
    for (const { body } of server.requests) {
      const to = outcomes.find((item) => body.includes(item.to.slice(1)))?.to ?? '';
      seen.set(to, (seen.get(to) ?? 0) + 1);
    }
    expect(seen.has('')).toBe(false);
    expect([...seen.values()].every((count) => count === 1)).toBe(true);
    for (const { to, outcome } of outcomes) {
      const arrived = seen.has(to);
      if (outcome.kind === 'accepted') expect(arrived).toBe(true);
      if (outcome.kind === 'not_sent') expect(arrived).toBe(outcome.reason === 'throttled');
    }
    const kinds = new Set(outcomes.map(({ outcome }) => outcome.kind));
    expect(kinds).toEqual(new Set(['accepted', 'unknown', 'not_sent']));
  });
}
