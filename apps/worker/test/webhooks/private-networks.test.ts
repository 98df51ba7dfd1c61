import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWebhookEnvironment } from './environment.ts';

test('events are delivered with http to a receiver in WEBHOOK_PRIVATE_NETWORKS, and to no other private address', async () => {
  const environment = await startWebhookEnvironment(onTestFinished, {
    WEBHOOK_PRIVATE_NETWORKS: '10.20.0.0/16, 127.0.0.1/32',
  });
  await environment.startWorker();
  const { workspaceId } = await environment.addWorkspace();
  const { receiver } = await environment.addEndpoint(workspaceId);
  const other = await environment.addEndpoint(workspaceId, { url: 'http://127.0.0.2/' });
  await environment.acceptUnsent(workspaceId, 1);
  await vi.waitFor(async () => {
    expect(receiver.events()).toMatchObject([{ type: 'message.created' }]);
    const page = { number: 1, size: 1 };
    const { items } = await environment.deliveries.list(other.key, 'pending', page);
    expect(items[0]?.attempts[0]?.error).toContain('WEBHOOK_PRIVATE_NETWORKS');
  }, EVENTUALLY);
});
