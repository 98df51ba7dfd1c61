import { expect, test } from 'vitest';
import { startEnvironment } from './start-environment.ts';
import { startHungServer } from './start-hung-server.ts';

const RECIPIENT = '+14155550100';

test.for(['resend', 'fail'] as const)(
  'a message that a provider without a lookup never answers fails after the hold and the delay of a receipt under "%s", and is sent once',
  async (onUnknown) => {
    const hung = await startHungServer('POST /v2/messages');
    const environment = await startEnvironment();
    const { workspaceId } = await environment.addWorkspace({ onUnknown });
    await environment.database.pool.query(
      `UPDATE provider_accounts SET type = 'telnyx' WHERE workspace_id = $1`,
      [workspaceId],
    );
    await environment.startWorker({
      TELNYX_API_URL: hung.url,
      PROVIDER_TIMEOUT_MS: '2000',
      LEASE_MS: '6000',
      UNKNOWN_LOOKUPS_MS: '300,2500',
      UNKNOWN_RECEIPT_MS: '1500',
    });
    const { messageId } = await environment.accept(workspaceId, RECIPIENT);
    const row = await environment.until(messageId, (now) => now.dispatch === 'unresolved');
    expect(row).toMatchObject({
      status: 'failed',
      error_code: 'outcome_unknown',
      attempt: 1,
      resends: 0,
    });
    expect(hung.countRequests()).toBe(1);
  },
);
