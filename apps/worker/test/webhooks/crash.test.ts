import { randomUUID } from 'node:crypto';
import { START_OF_EVENTS, toSeqs } from '@switchboard/core';
import { type LeasedEndpoint, createMessageEventStore } from '@switchboard/database';
import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type WebhookEnvironment, startWebhookEnvironment } from './environment.ts';

const ends: (() => Promise<void>)[] = [];
let environment: WebhookEnvironment;

beforeAll(async () => {
  environment = await startWebhookEnvironment((end) => ends.unshift(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

const HOUR_MS = 3_600_000;

/** Leases the only endpoint of a workspace, as a worker does. */
async function lease(workspaceId: string, owner: string, leaseMs: number) {
  const none = { except: [], exceptOwners: [], perOwner: 10 };
  const query = { owner, leaseMs, workspaceIds: [workspaceId], limit: 10, ...none };
  return environment.outbox.lease(query);
}

/** Claims all events of the workspace, as a worker does before its first attempt. */
async function claimAll(endpoint: LeasedEndpoint, owner: string, leaseMs: number) {
  const { id, workspaceId, revision, position: from } = endpoint;
  const events = createMessageEventStore(environment.database);
  const pages = await events.read([{ workspaceId, after: START_OF_EVENTS }], 100);
  const page = pages.get(workspaceId);
  if (page === undefined) throw new Error('there are no events to claim');
  const claimed = await environment.outbox.claim(owner, leaseMs, [
    {
      workspaceId,
      endpointId: id,
      revision,
      from,
      to: toSeqs(page.position),
      events: page.events.map(({ seq }) => seq),
      skipped: 0,
    },
  ]);
  return { page, firstSequence: claimed.get(id) };
}

const numbersById = (received: readonly { id: string; event: { sequence: number } }[]) =>
  new Map(received.map(({ id, event }) => [id, event.sequence]));

describe('the position of a webhook endpoint', () => {
  test('events that a worker had claimed when it died are delivered with the same numbers', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { receiver } = await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 3);
    const dead = randomUUID();
    const [endpoint] = await lease(workspaceId, dead, 1);
    if (endpoint === undefined) throw new Error('the endpoint was not leased');
    const { page, firstSequence } = await claimAll(endpoint, dead, 1);
    expect(firstSequence).toBe(1);

    const worker = await environment.startWorker();
    await environment.acceptUnsent(workspaceId, 2);
    await vi.waitFor(() => expect(receiver.events()).toHaveLength(5), EVENTUALLY);
    await worker.stop();
    const numbers = numbersById(receiver.received);
    expect(page.events.map(({ eventId }) => numbers.get(eventId))).toEqual([1, 2, 3]);
    expect([...numbers.values()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
  });

  test('a worker whose lease another one has taken can neither claim nor change what was recorded', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { key } = await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 2);
    const [frozen, other] = [randomUUID(), randomUUID()];
    const [before] = await lease(workspaceId, frozen, 1);
    if (before === undefined) throw new Error('the endpoint was not leased');
    await vi.waitFor(async () => {
      expect(await lease(workspaceId, other, HOUR_MS)).toHaveLength(1);
    }, EVENTUALLY);
    expect((await claimAll(before, frozen, HOUR_MS)).firstSequence).toBeUndefined();

    const { firstSequence } = await claimAll(before, other, HOUR_MS);
    expect(firstSequence).toBe(1);
    const delivered = { ...key, firstSequence: 1, statuses: [200, 200], durationsMs: [1, 1] };
    await environment.outbox.finish([{ ...delivered, undelivered: [] }]);
    await environment.outbox.finish([{ ...delivered, statuses: [0, 0], undelivered: [] }]);
    const page = await environment.deliveries.list(key, 'delivered', { number: 1, size: 10 });
    expect(page).toMatchObject({ total: 2, items: [{ sequence: 2 }, { sequence: 1 }] });
  });

  test('only one of two workers that try to lease the same endpoint gets the lease', async () => {
    const { workspaceId } = await environment.addWorkspace();
    await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 1);
    const leased = await Promise.all(
      Array.from({ length: 5 }, () => lease(workspaceId, randomUUID(), HOUR_MS)),
    );
    expect(leased.flat()).toHaveLength(1);
  });

  test('a claim with an outdated position is refused', async () => {
    const { workspaceId } = await environment.addWorkspace();
    await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 2);
    const owner = randomUUID();
    const [endpoint] = await lease(workspaceId, owner, HOUR_MS);
    if (endpoint === undefined) throw new Error('the endpoint was not leased');
    expect((await claimAll(endpoint, owner, HOUR_MS)).firstSequence).toBe(1);
    expect((await claimAll(endpoint, owner, HOUR_MS)).firstSequence).toBeUndefined();
  });

  test('a disabled endpoint can be neither leased nor claimed', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id } = await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 1);
    const owner = randomUUID();
    const [endpoint] = await lease(workspaceId, owner, HOUR_MS);
    if (endpoint === undefined) throw new Error('the endpoint was not leased');
    await environment.endpoints.update(
      workspaceId,
      id,
      { enabled: false },
      { kind: 'operator', ip: null },
    );
    expect((await claimAll(endpoint, owner, HOUR_MS)).firstSequence).toBeUndefined();
    expect(await lease(workspaceId, owner, HOUR_MS)).toEqual([]);
  });

  test('an endpoint has at most 16 attempts in flight, and none starts after it was disabled', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id, key, receiver } = await environment.addEndpoint(workspaceId);
    let respondToAll = (): void => undefined;
    const mayRespond = new Promise<void>((resolve) => (respondToAll = resolve));
    receiver.respondWith(() => mayRespond.then(() => ({ status: 200 })));
    await environment.acceptUnsent(workspaceId, 40);
    // No attempt may time out before the worker has read that the endpoint is disabled.
    const worker = await environment.startWorker({ WEBHOOK_TIMEOUT_MS: '60000' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(16), EVENTUALLY);

    const change = (enabled: boolean) =>
      environment.endpoints.update(workspaceId, id, { enabled }, { kind: 'operator', ip: null });
    await change(false);
    // Only a poll finds these endpoints, and only a poll that began after the change finds the
    // second one. A poll first stops the sends to endpoints that were disabled.
    for (let number = 0; number < 2; number += 1) {
      const other = await environment.addWorkspace();
      const endpoint = await environment.addEndpoint(other.workspaceId);
      await environment.acceptUnsent(other.workspaceId, 1);
      await vi.waitFor(() => expect(endpoint.receiver.events()).toHaveLength(1), EVENTUALLY);
    }
    respondToAll();
    await vi.waitFor(async () => {
      const { total } = await environment.deliveries.list(key, 'pending', { number: 1, size: 1 });
      expect(total).toBeGreaterThanOrEqual(24);
    }, EVENTUALLY);
    expect(receiver.received).toHaveLength(16);

    await change(true);
    await vi.waitFor(async () => {
      await environment.skipWaits();
      expect(receiver.events().map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
    }, EVENTUALLY);
    await worker.stop();
  });

  test('after the database was restored, the numbers continue after a gap and none is used twice', async () => {
    const { workspaceId } = await environment.addWorkspace();
    await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 1);
    await environment.sql('UPDATE event_epoch SET restore_id = 5');
    const owner = randomUUID();
    const [endpoint] = await lease(workspaceId, owner, HOUR_MS);
    if (endpoint === undefined) throw new Error('the endpoint was not leased');
    expect((await claimAll(endpoint, owner, HOUR_MS)).firstSequence).toBe(1_000_001);
  });
});
