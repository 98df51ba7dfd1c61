import { expect, onTestFinished, test } from 'vitest';
import { expectRefusal, startService } from './start-service.ts';
import { clientOf } from './workspace-client.ts';

test('endpoints may be in WEBHOOK_PRIVATE_NETWORKS, with http as well, and in no other private network', async () => {
  const service = await startService({
    env: { WEBHOOK_PRIVATE_NETWORKS: '10.20.0.0/16,fd12::/16' },
  });
  onTestFinished(() => service.close());
  const workspace = await service.addWorkspace();
  const owner = clientOf(service, workspace, workspace.sessionToken);
  for (const url of [
    'http://10.20.1.1:8080/events',
    'https://[fd12::1]/',
    'http://crm.internal/events',
    'https://example.com/',
  ]) {
    const added = await owner('/webhook-endpoints', { json: { url } });
    expect([url, added.status]).toEqual([url, 201]);
  }
  const outside = '`url` must have a host on the public internet or in WEBHOOK_PRIVATE_NETWORKS';
  const insecure =
    '`url` must be an https URL, for example https://example.com/webhooks, or an http URL of a host in WEBHOOK_PRIVATE_NETWORKS';
  for (const [url, detail] of [
    ['https://10.21.1.1/', outside],
    ['https://169.254.169.254/', outside],
    ['https://localhost/', outside],
    ['http://93.184.216.34/', insecure],
    ['http://127.0.0.1/', insecure],
    ['ftp://10.20.1.1/', insecure],
  ] as const) {
    const refused = await owner('/webhook-endpoints', { json: { url } });
    expectRefusal(refused, 400, 'invalid_params', detail);
  }
});
