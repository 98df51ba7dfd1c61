import {
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startWorker,
} from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startReceiver } from '../test/webhooks/start-receiver.ts';

const ROTATIONS = 5;
const SENDERS = 8;
/** At most one batch of 100 deliveries that a worker signed before the rotation is in flight. */
const DELIVERIES_PER_PHASE = 150;
/** The machine may be busy with other work. */
const WAIT = { timeout: 120_000, interval: 100 };
const HOUR_MS = 3_600_000;

test('every delivery verifies with the old or the new secret while the secret of its endpoint is rotated under load', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { apiKey } = await createWorkspaceFixture(database.url);
  const settings = { DATABASE_URL: database.url, WEBHOOK_ALLOW_LOOPBACK: 'true' };
  const api = await startApi({ ...settings, RATE_LIMIT_MESSAGING: '1000000' });
  onTestFinished(() => api.stop());
  for (let count = 0; count < 2; count += 1) {
    const worker = await startWorker({ ...settings, PUBLIC_URL: api.url });
    onTestFinished(() => worker.stop());
  }
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());

  async function post(path: string, body: object): Promise<Record<string, string>> {
    const response = await fetch(api.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  }
  const { id, secret = '' } = await post('/api/webhook-endpoints', { url: receiver.url });
  receiver.expectSecrets(secret);

  let isSending = true;
  let accepted = 0;
  async function keepSending(): Promise<void> {
    // A scheduled message has one event and is not sent.
    const scheduledAt = new Date(Date.now() + HOUR_MS).toISOString();
    while (isSending) {
      await post('/api/messages', { to: '+14155550123', body: 'Hello', scheduled_at: scheduledAt });
      accepted += 1;
    }
  }
  const senders = Array.from({ length: SENDERS }, keepSending);
  async function receiveMore(): Promise<void> {
    const before = receiver.received.length;
    await vi.waitFor(() => {
      expect(receiver.received.length).toBeGreaterThan(before + DELIVERIES_PER_PHASE);
    }, WAIT);
  }

  try {
    await receiveMore();
    for (let rotation = 1; rotation <= ROTATIONS; rotation += 1) {
      const rotated = await post(`/api/webhook-endpoints/${id}/rotate-secret`, {
        overlap_seconds: 3_600,
      });
      // The receiver still has the old secret.
      await receiveMore();
      receiver.expectSecrets(rotated['secret'] ?? '');
      await receiveMore();
      expect(receiver.forged).toEqual([]);
    }
  } finally {
    isSending = false;
    await Promise.all(senders);
  }
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(accepted), WAIT);
  expect(receiver.forged).toEqual([]);
  const sequences = receiver.events().map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
});
