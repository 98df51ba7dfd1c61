import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import type { RunResult, TenantItem } from './tenant-queue.ts';
import { createTenantQueues } from './tenant-queues.ts';

const healthy: RunResult = { healthy: true, pauseMs: 0, again: false };
const failed: RunResult = { healthy: false, pauseMs: 0, again: false };

describe('a workspace with several accounts', () => {
  /** Creates tenant queues whose items need the account in their id and call it until the test ends them. */
  function createAccounts(concurrency: number, { maxWaiting = 1_000 } = {}) {
    const calling = new Map<string, (result: RunResult) => void>();
    const accountOf = new Map<string, string>();
    const queues = createTenantQueues<TenantItem>({
      concurrency,
      maxWaiting,
      maxWaitingInAll: 10_000,
    });
    queues.start(async ({ id }, slot) => {
      const none: RunResult = { healthy: null, pauseMs: 0, again: false };
      const account = accountOf.get(id) ?? id.slice(1).replace(/\d+$/, '');
      if (!slot.enter(account)) return none;
      if ((await slot.begin()) !== 'call') return none;
      return new Promise((resolve) => calling.set(id, resolve));
    });
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    return {
      queues,
      calling,
      accountOf,
      nextTurn,
      async end(id: string, result: RunResult = healthy) {
        calling.get(id)?.(result);
        calling.delete(id);
        await nextTurn();
      },
      count: (prefix: string) => [...calling.keys()].filter((id) => id.startsWith(prefix)).length,
    };
  }

  test('an account that does not answer leaves slots to other accounts, whose items pass its own', async () => {
    const { queues, calling, end, count, nextTurn } = createAccounts(8);
    for (let i = 0; i < 40; i += 1) queues.add({ workspaceId: 'w', id: `whung${i}` });
    await nextTurn();
    // Three quarters of the slots of the workspace, which are three quarters of all.
    expect(count('whung')).toBe(5);
    for (let i = 0; i < 20; i += 1) queues.add({ workspaceId: 'w', id: `wok${i}` });
    for (let i = 0; i < 20; i += 1) {
      await vi.waitFor(() => expect([...calling.keys()]).toContain(`wok${i}`), EVENTUALLY);
      await end(`wok${i}`);
    }
    expect(count('whung')).toBe(5);
    // One of them may be choosing an account at this moment.
    await vi.waitFor(() => expect(queues.waiting).toBe(35), EVENTUALLY);
    await end('whung0');
    expect(count('whung')).toBe(5);
    queues.add({ workspaceId: 'v', id: 'vok0' });
    await vi.waitFor(() => expect(queues.inFlight).toBe(6), EVENTUALLY);
  });

  test('a throttled account pauses only its own items', async () => {
    const { queues, calling, end, nextTurn } = createAccounts(4);
    queues.add({ workspaceId: 'w', id: 'wa0' });
    await nextTurn();
    await end('wa0', { healthy: null, pauseMs: 60_000, again: false });
    queues.add({ workspaceId: 'w', id: 'wa1' });
    queues.add({ workspaceId: 'w', id: 'wb1' });
    await vi.waitFor(() => expect([...calling.keys()]).toEqual(['wb1']), EVENTUALLY);
    queues.stop();
  });

  test('the wait for a throttled account grows with the items that wait for it', async () => {
    const { queues, calling, end, nextTurn } = createAccounts(4);
    queues.add({ workspaceId: 'w', id: 'wa0' });
    await nextTurn();
    expect(queues.measureWait('w', 'a')).toBe(0);
    await end('wa0', { healthy: null, isThrottled: true, pauseMs: 0, again: false });
    // Nothing was accepted, so one item is tried in two seconds.
    const alone = queues.measureWait('w', 'a');
    expect(alone).toBeGreaterThan(0);
    expect(alone).toBeLessThanOrEqual(2_000);
    for (let i = 1; i <= 5; i += 1) queues.add({ workspaceId: 'w', id: `wa${i}` });
    queues.add({ workspaceId: 'w', id: 'wb1' });
    await vi.waitFor(() => expect([...calling.keys()]).toContain('wb1'), EVENTUALLY);
    await vi.waitFor(() => expect(queues.measureWait('w', 'a')).toBeGreaterThan(3_000), EVENTUALLY);
    expect(queues.measureWait('w', 'b')).toBe(0);
    expect(queues.measureWait('v', 'a')).toBe(0);
    queues.stop();
  });

  test('items that wait for an account that is paused choose another one immediately', async () => {
    const { queues, accountOf, calling, nextTurn } = createAccounts(8);
    for (let i = 0; i < 10; i += 1) queues.add({ workspaceId: 'w', id: `wa${i}` });
    await nextTurn();
    expect(calling.size).toBe(5);
    for (let i = 5; i < 10; i += 1) accountOf.set(`wa${i}`, 'b');
    queues.chooseAgain('w', 'a');
    await vi.waitFor(() => expect(calling.has('wa5')).toBe(true), EVENTUALLY);
    expect([...calling.keys()].slice(5)).toEqual(['wa5']);
  });

  test('an item is kept for its account once, and items beyond half of a full queue are left to their rows', async () => {
    const { queues, nextTurn, end } = createAccounts(1, { maxWaiting: 4 });
    for (let i = 0; i < 2; i += 1) queues.add({ workspaceId: 'w', id: `wa${i}` });
    await nextTurn();
    await end('wa0', failed);
    for (let i = 2; i < 6; i += 1) {
      expect(queues.add({ workspaceId: 'w', id: `wa${i}` })).toBe(true);
      expect(queues.add({ workspaceId: 'w', id: `wa${i}` })).toBe(true);
      await nextTurn();
    }
    expect(queues.waiting).toBeLessThanOrEqual(6);
  });
});
