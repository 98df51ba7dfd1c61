import { type Database, createPhoneNumberStore } from '@switchboard/database';
import { createProviderRegistry, toInboundUrl } from '@switchboard/providers';
import type { DemoFile } from './demo-file.ts';

const TIMEOUT_MS = 5_000;

/** Has the simulator, where it runs, send what the demo number receives to where the API is now. */
export async function wireDemoNumber(database: Database, demo: DemoFile): Promise<void> {
  const { workspace_id: workspaceId, account_sid: accountSid, auth_token: authToken } = demo;
  const numbers = createPhoneNumberStore(database);
  const url = toInboundUrl(demo.base_url, workspaceId);
  const waiting = await numbers.listUnwired(workspaceId, url);
  const number = waiting.find((each) => each.number === demo.from);
  if (number === undefined) return;
  const registry = createProviderRegistry({
    twilioApiUrl: demo.simulator_url,
    callTimeoutMs: TIMEOUT_MS,
  });
  try {
    const account = { accountSid, authToken, messagingServiceSid: null };
    const result = await registry.get('twilio')?.wireInbound(account, demo.from, url);
    if (result === 'wired') {
      await numbers.recordInbound({ workspaceId, id: number.id, accountSid }, url);
    }
  } finally {
    await registry.close();
  }
}
