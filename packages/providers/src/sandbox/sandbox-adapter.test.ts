import { expect, onTestFinished, test } from 'vitest';
import { createSandboxAdapter } from './sandbox-adapter.ts';

test('an erasure counts no message as kept by the sandbox, which has nothing of it', async () => {
  const adapter = createSandboxAdapter({ apiUrl: null, callTimeoutMs: 1_000 });
  onTestFinished(() => adapter.close());
  const account = { vendorAccountId: 'sandbox-1', secret: '', senderPool: null };
  expect(await adapter.redactMessage?.(account, 'any')).toEqual({ kind: 'redacted' });
});
