import { type Database, createPhoneNumberStore, createProviderStore } from '@switchboard/database';
import { createProviderRegistry } from '@switchboard/providers';
import { DEMO_PROVIDER } from './create-demo-data.ts';
import type { DemoFile } from './demo-file.ts';

const TIMEOUT_MS = 5_000;

/** Sets the inbound URL of the demo number at the simulator to the API's, if the simulator runs. */
export async function configureDemoNumber(database: Database, demo: DemoFile): Promise<void> {
  const { workspace_id: workspaceId } = demo;
  const numbers = createPhoneNumberStore(database);
  const registry = await createProviderRegistry({
    apiUrls: { [DEMO_PROVIDER]: demo.simulator_url },
    callTimeoutMs: TIMEOUT_MS,
  });
  try {
    const { webhooks, configureInbound } = registry.get(DEMO_PROVIDER) ?? {};
    if (!webhooks || !configureInbound) return;
    const provider = await createProviderStore(database).find(workspaceId);
    if (provider === null) return;
    const url = webhooks.toInboundUrl(demo.base_url, { workspaceId, providerId: provider.id });
    const waiting = await numbers.listWithoutInboundUrl(provider, url);
    const number = waiting.find((each) => each.number === demo.from);
    if (number === undefined) return;
    const vendorAccountId = demo.account_sid;
    const account = { vendorAccountId, secret: demo.auth_token, senderPool: null };
    const result = await configureInbound(account, demo.from, url);
    if (result === 'configured') {
      await numbers.recordInbound({ workspaceId, id: number.id, vendorAccountId }, url);
    }
  } finally {
    await registry.close();
  }
}
