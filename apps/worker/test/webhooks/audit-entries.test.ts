import { EVENTUALLY } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

test('entries of the audit trail are delivered, signed and numbered without gaps, beside messages', async () => {
  const { workspaceId } = await environment.addWorkspace();
  const { id, receiver } = await environment.addEndpoint(workspaceId, {
    eventTypes: ['message.created', 'audit_entry.created'],
  });
  await environment.acceptUnsent(workspaceId, 1);
  await environment.endpoints.update(
    workspaceId,
    id,
    { description: 'SIEM' },
    { kind: 'operator', ip: '203.0.113.7' },
  );
  await environment.acceptUnsent(workspaceId, 1);
  await vi.waitFor(() => expect(receiver.events()).toHaveLength(4), EVENTUALLY);

  const events = receiver.events();
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(events.filter(({ type }) => type === 'audit_entry.created')).toMatchObject([
    {
      workspace_id: workspaceId,
      data: { action: 'webhook_endpoint.created', target: id, ip: null },
    },
    {
      data: {
        action: 'webhook_endpoint.changed',
        actor: { type: 'operator', id: null, name: null },
        detail: { description: 'SIEM' },
        ip: '203.0.113.7',
      },
    },
  ]);
  expect(receiver.forged).toEqual([]);
});
