import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { quarterOf, MAX_DELIVERIES } from '../../src/webhooks/delivery-slots.ts';
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
    for (let e = 0; e < 50; e += 1) {
      const url = `${hung.url}/${n}/${e}`;
      await environment.addEndpoint(workspaceId, { receiver: unused, url });
    }
  }
  await environment.sql(
    `UPDATE members SET user_id = (SELECT user_id FROM members WHERE workspace_id = $1)
     WHERE workspace_id = ANY($2::uuid[])`,
    [workspaces[0], workspaces.slice(1)],
  );
  const other = await environment.addWorkspace();
  const { receiver } = await environment.addEndpoint(other.workspaceId);
  // No delivery times out before the end of the test.
  await environment.startWorker({ WEBHOOK_TIMEOUT_MS: '60000' });

  for (const workspaceId of workspaces) await environment.acceptUnsent(workspaceId, 2);
  const limit = quarterOf(MAX_DELIVERIES);
  // Each workspace gets a quarter of what the others leave, so six do not use up the whole limit.
  await expect.poll(() => hung.countRequests(), EVENTUALLY).toBeGreaterThan(limit / 2);
  await environment.acceptUnsent(other.workspaceId, 3);
  await expect.poll(() => receiver.received.length, EVENTUALLY).toBe(3);
  expect(hung.countRequests()).toBeLessThanOrEqual(limit);
});
