import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type WebhookEnvironment, startWebhookEnvironment } from './environment.ts';

const ends: (() => Promise<void>)[] = [];
let environment: WebhookEnvironment;

beforeAll(async () => {
  environment = await startWebhookEnvironment((end) => ends.unshift(end));
  await environment.startWorker();
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Reads from the audit trail why an endpoint was disabled. */
async function readReasons(id: string): Promise<unknown[]> {
  const entries = await environment.sql<{ detail: { reason: string } }>(
    `SELECT detail FROM audit_entries WHERE action = 'webhook_endpoint.disabled' AND target = $1`,
    [id],
  );
  return entries.map(({ detail }) => detail.reason);
}

describe('deliveries to a workspace webhook', () => {
  test('every visible event of a message is delivered with its text, reference and metadata, signed and numbered without gaps', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { receiver } = await environment.addEndpoint(workspaceId);
    const sent = { body: 'Hello', reference: 'order-1042', metadata: { shop: 'Lisbon' } };
    const { messageId } = await environment.accept(workspaceId, '+14155550100', sent);
    await vi.waitFor(() => {
      const events = receiver.events();
      expect(events.some(({ type }) => type === 'message.created')).toBe(true);
      expect(events.find(({ type }) => type === 'message.updated')).toMatchObject({
        workspace_id: workspaceId,
        data: { id: messageId, ...sent },
      });
    }, EVENTUALLY);
    const sequences = receiver.events().map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(sequences.length);
    expect(receiver.forged).toEqual([]);
  });

  test('an endpoint receives only the types it selects, numbered without gaps', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const selected = await environment.addEndpoint(workspaceId, {
      eventTypes: ['message.created'],
    });
    const other = await environment.addEndpoint(workspaceId, { eventTypes: ['message.updated'] });
    for (let n = 0; n < 3; n += 1) await environment.accept(workspaceId, '+14155550100');
    await vi.waitFor(() => {
      expect(selected.receiver.events()).toHaveLength(3);
      expect(other.receiver.events().length).toBeGreaterThanOrEqual(3);
    }, EVENTUALLY);
    expect(selected.receiver.events()).toMatchObject([
      { type: 'message.created', sequence: 1 },
      { type: 'message.created', sequence: 2 },
      { type: 'message.created', sequence: 3 },
    ]);
  });

  test('a failed delivery is retried with the same id and sequence until it succeeds', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id, key, receiver } = await environment.addEndpoint(workspaceId);
    receiver.respondWith(({ event }) => ({ status: event.sequence === 2 ? 500 : 200 }));
    await environment.acceptUnsent(workspaceId, 4);
    await vi.waitFor(async () => {
      const pending = await environment.deliveries.list(key, 'pending', { number: 1, size: 10 });
      expect(pending.items).toMatchObject([
        { sequence: 2, attempts: [{ status_code: 500, response: 'seen' }] },
      ]);
    }, EVENTUALLY);
    receiver.respondWith(() => ({ status: 204 }));
    await environment.skipWaits();
    await vi.waitFor(async () => {
      const delivered = await environment.deliveries.list(key, 'delivered', {
        number: 1,
        size: 10,
      });
      expect(delivered.total).toBe(4);
      expect(delivered.items.map(({ sequence }) => sequence)).toEqual([4, 3, 2, 1]);
    }, EVENTUALLY);
    const second = receiver.received.filter(({ event }) => event.sequence === 2);
    expect(second.length).toBeGreaterThanOrEqual(2);
    expect(new Set(second.map((delivery) => delivery.id)).size).toBe(1);
    await vi.waitFor(async () => {
      expect(await environment.readEndpoint(id)).toMatchObject({ failing_since: null });
    }, EVENTUALLY);
  });

  test('an endpoint that hangs delays no other endpoint', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const hanging = await environment.addEndpoint(workspaceId);
    hanging.receiver.respondWith(() => null);
    const { receiver } = await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 20);
    await vi.waitFor(() => expect(receiver.events()).toHaveLength(20), EVENTUALLY);
    await vi.waitFor(async () => {
      const { items } = await environment.deliveries.list(hanging.key, 'pending', {
        number: 1,
        size: 100,
      });
      expect(
        items.some(({ attempts }) => attempts[0]?.error === 'No complete response within 5 s'),
      ).toBe(true);
    }, EVENTUALLY);
  });

  test('a 410 disables the endpoint, is audited, and is announced to the other endpoints', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const gone = await environment.addEndpoint(workspaceId);
    const other = await environment.addEndpoint(workspaceId, { eventTypes: ['endpoint.disabled'] });
    gone.receiver.respondWith(() => ({ status: 410 }));
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(async () => {
      expect(await environment.readEndpoint(gone.id)).toMatchObject({
        enabled: false,
        disabled_reason: 'gone',
      });
      expect(other.receiver.events()).toMatchObject([
        { type: 'endpoint.disabled', sequence: 1, data: { id: gone.id } },
      ]);
    }, EVENTUALLY);
    expect(await readReasons(gone.id)).toEqual(['gone']);
    const before = gone.receiver.received.length;
    await environment.skipWaits();
    await environment.acceptUnsent(workspaceId, 2);
    // Once the other endpoint has the event, the worker has also read the disabled endpoint.
    const third = await environment.addEndpoint(workspaceId);
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(() => expect(third.receiver.events()).toHaveLength(1), EVENTUALLY);
    expect(gone.receiver.received).toHaveLength(before);

    await environment.endpoints.update(
      workspaceId,
      gone.id,
      { enabled: true },
      { kind: 'operator', ip: null },
    );
    gone.receiver.respondWith(() => ({ status: 200 }));
    await vi.waitFor(async () => {
      await environment.skipWaits();
      expect(gone.receiver.events().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    }, EVENTUALLY);
  });

  test('an endpoint without a success for five days is disabled at the next failure', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id, receiver } = await environment.addEndpoint(workspaceId);
    const other = await environment.addEndpoint(workspaceId, { eventTypes: ['endpoint.disabled'] });
    receiver.respondWith(() => ({ status: 500 }));
    await environment.sql(
      `UPDATE webhook_endpoints SET failures = 9, failing_since = now() - interval '5 days' WHERE id = $1`,
      [id],
    );
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(async () => {
      expect(await environment.readEndpoint(id)).toMatchObject({
        enabled: false,
        disabled_reason: 'failing',
      });
      expect(other.receiver.events()).toMatchObject([
        { type: 'endpoint.disabled', data: { id, disabled_reason: 'failing' } },
      ]);
    }, EVENTUALLY);
    expect(await readReasons(id)).toEqual(['failing']);
  });

  test('a private address is also refused at delivery, and no redirect is followed', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const inside = await environment.addEndpoint(workspaceId, { eventTypes: ['endpoint.test'] });
    const { receiver } = inside;
    const outside = await environment.addEndpoint(workspaceId);
    outside.receiver.respondWith(() => ({ status: 307, headers: { location: receiver.url } }));
    const keys = [outside.key];
    // The decimal form of 10.0.0.1, a mapped address, and the address of a cloud's metadata.
    for (const host of ['167772161', '[::ffff:10.0.0.1]', '169.254.169.254']) {
      const url = `https://${host}/`;
      keys.push((await environment.addEndpoint(workspaceId, { url, receiver })).key);
    }
    await environment.acceptUnsent(workspaceId, 1);
    const refusal = 'The URL must have a host on the public internet';
    await vi.waitFor(async () => {
      const errors: unknown[] = [];
      for (const key of keys) {
        const { items } = await environment.deliveries.list(key, 'pending', { number: 1, size: 1 });
        errors.push(items[0]?.attempts[0]?.error);
      }
      const redirect = 'The endpoint responded with 307: redirects are not followed';
      expect(errors).toEqual([redirect, refusal, refusal, refusal]);
    }, EVENTUALLY);
    expect([...receiver.received, ...receiver.forged]).toEqual([]);
  });

  test('a 429 postpones all deliveries to the endpoint for as long as it requests', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id, receiver } = await environment.addEndpoint(workspaceId);
    receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': '600' } }));
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(async () => {
      const [row] = await environment.sql<{ endpoint_ms: number; delivery_ms: number }>(
        `SELECT extract(epoch FROM w.not_before - now()) * 1000 AS endpoint_ms,
           extract(epoch FROM d.next_attempt_at - now()) * 1000 AS delivery_ms
         FROM webhook_endpoints w JOIN webhook_deliveries d ON d.endpoint_id = w.id WHERE w.id = $1`,
        [id],
      );
      expect(Number(row?.endpoint_ms)).toBeGreaterThan(500_000);
      expect(Number(row?.delivery_ms)).toBeGreaterThan(500_000);
    }, EVENTUALLY);
    expect(receiver.received).toHaveLength(1);
  });

  test('opt-outs and the status of the provider are delivered as numbered events', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { receiver } = await environment.addEndpoint(workspaceId);
    await environment.sql(
      `INSERT INTO opt_outs (workspace_id, number, reason, created_at) VALUES ($1, '+14155550111', 'STOP', now())`,
      [workspaceId],
    );
    await environment.sql(
      `UPDATE provider_accounts SET refused_since = now(), refused_detail = 'no' WHERE workspace_id = $1`,
      [workspaceId],
    );
    await environment.sql('DELETE FROM opt_outs WHERE workspace_id = $1', [workspaceId]);
    // The worker may find that the provider accepts the credentials again, which is an event too.
    const others = () =>
      receiver.events().filter(({ data }) => !('status' in data) || data.status !== 'ok');
    await vi.waitFor(() => expect(others()).toHaveLength(3), EVENTUALLY);
    expect(others()).toMatchObject([
      { type: 'opt_out.created', sequence: 1, data: { number: '+14155550111', reason: 'STOP' } },
      {
        type: 'provider.status_changed',
        sequence: 2,
        data: {
          id: expect.any(String),
          type: 'twilio',
          name: '',
          status: 'credentials_refused',
          status_detail: 'no',
        },
      },
      { type: 'opt_out.removed', data: { number: '+14155550111' } },
    ]);
  });

  test('both secrets verify a delivery until the overlap of a rotation ends, and then only the new one', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { id, receiver, secret } = await environment.addEndpoint(workspaceId);
    const newSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const rotate = (sealed: string, overlapMs: number) =>
      environment.endpoints.replaceSecret(
        workspaceId,
        id,
        { sealed: environment.sealWebhookSecret(workspaceId, sealed), overlapMs },
        { kind: 'operator', ip: null },
      );
    receiver.expectSecrets(secret, newSecret);
    await rotate(newSecret, 3_600_000);
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(() => expect(receiver.events()).toHaveLength(1), EVENTUALLY);

    await environment.sql(
      'UPDATE webhook_endpoints SET previous_until = now(), revision = revision + 1 WHERE id = $1',
      [id],
    );
    receiver.expectSecrets(secret);
    await environment.acceptUnsent(workspaceId, 1);
    await vi.waitFor(() => expect(receiver.forged.length).toBeGreaterThan(0), EVENTUALLY);
    receiver.expectSecrets(newSecret);
    await vi.waitFor(async () => {
      await environment.skipWaits();
      expect(receiver.events()).toHaveLength(2);
    }, EVENTUALLY);
  });

  test('replayed events keep their ids and sequences, and are listed as one delivery each', async () => {
    const { workspaceId } = await environment.addWorkspace();
    const { key, receiver } = await environment.addEndpoint(workspaceId);
    const since = new Date(Date.now() - 3_600_000);
    await environment.acceptUnsent(workspaceId, 5);
    await vi.waitFor(async () => {
      const { total } = await environment.deliveries.list(key, 'delivered', { number: 1, size: 1 });
      expect(total).toBe(5);
    }, EVENTUALLY);
    const first = new Map(receiver.received.map(({ id, event }) => [event.sequence, id]));
    const until = new Date(Date.now() + 3_600_000);
    expect(await environment.deliveries.replay(key, { since, until })).toBe(5);
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10), EVENTUALLY);
    for (const { id, event } of receiver.received) expect(first.get(event.sequence)).toBe(id);
    await vi.waitFor(async () => {
      const { total, items } = await environment.deliveries.list(key, 'delivered', {
        number: 1,
        size: 10,
      });
      expect(total).toBe(5);
      expect(items.map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2, 1]);
    }, EVENTUALLY);
  });
});
