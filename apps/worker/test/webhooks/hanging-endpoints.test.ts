import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { shareOf } from '../../src/fair-slots.ts';
import { DELIVERY_SLOTS } from '../../src/webhooks/delivery-slots.ts';
import { startHungServer } from '../start-hung-server.ts';
import { startWebhookEnvironment } from './environment.ts';
import { startReceiver } from './start-receiver.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

test('hanging endpoints of one owner’s workspaces hold at most a quarter of the deliveries, and those of another owner are delivered in time', async () => {
  const hung = await startHungServer('POST ');
  const environment = await startWebhookEnvironment((end) => ends.push(end));
  const unused = await startReceiver();
  onTestFinished(() => unused.stop());
  const workspaces: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const { workspaceId } = await environment.addWorkspace();
    workspaces.push(workspaceId);
    await environment.addEndpoint(workspaceId, { receiver: unused, url: `${hung.url}/${n}` });
  }
  await environment.sql(
    `INSERT INTO webhook_endpoints
     SELECT copy.* FROM webhook_endpoints w, generate_series(1, 49) AS n, jsonb_populate_record(
       w, jsonb_build_object('id', gen_random_uuid(), 'url', concat(w.url, '/', n))) AS copy`,
  );
  await environment.sql(
    `UPDATE members SET user_id = (SELECT user_id FROM members WHERE workspace_id = $1)
     WHERE workspace_id = ANY($2::uuid[])`,
    [workspaces[0], workspaces.slice(1)],
  );
  const other = await environment.addWorkspace();
  const { receiver } = await environment.addEndpoint(other.workspaceId);
  for (const workspaceId of workspaces) await environment.acceptUnsent(workspaceId, 3);
  await environment.startWorker({ WEBHOOK_TIMEOUT_MS: '60000' });
  const limit = shareOf(DELIVERY_SLOTS.part, DELIVERY_SLOTS.slots);
  // Each workspace gets a quarter of what the others leave, so six do not use up the whole limit.
  await expect.poll(() => hung.countMostOpen(), EVENTUALLY).toBeGreaterThan(limit / 2);
  await environment.acceptUnsent(other.workspaceId, 3);
  await expect.poll(() => receiver.received.length, EVENTUALLY).toBe(3);
  expect(hung.countMostOpen()).toBeLessThanOrEqual(limit);
});
