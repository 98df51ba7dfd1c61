import { createUuidV7 } from '@switchboard/core';
import { EVENTUALLY, mapBounded, numbersTo } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { startCarrier } from './start-carrier.ts';
import { addSmppAccount } from './start-session-environment.ts';
import { SENDER } from './start-smpp-workers.ts';
import { startWithCarrier } from './start-with-carrier.ts';

const OTHER_SENDER = '+14155550178';
const MESSAGES = 300;

test('with failover, a throttled account is used at its pace, and another account sends only what would wait longer', async () => {
  const environment = await startWithCarrier({ perSecond: 5 });
  const { carrier: slow, workspaceId, providerId, database, countByStatus } = environment;
  const fast = await startCarrier();
  const otherId = await addSmppAccount(database, workspaceId, {
    host: '127.0.0.1',
    port: fast.port,
    tls: false,
    system_id: 'other',
    password: 'secret',
  });
  const addNumber = (number: string, id: string) =>
    database.pool.query(
      `INSERT INTO phone_numbers (id, workspace_id, number, is_default, capabilities, created_at, provider_id)
       VALUES ($1, $2, $3, false, '{sms}', now(), $4)
       ON CONFLICT (workspace_id, number) DO UPDATE SET provider_id = $4`,
      [createUuidV7(Date.now()), workspaceId, number, id],
    );
  await addNumber(SENDER, providerId);
  await addNumber(OTHER_SENDER, otherId);
  await database.pool.query(
    'INSERT INTO workspace_routing (workspace_id, failover, updated_at) VALUES ($1, true, now())',
    [workspaceId],
  );
  await Promise.all([slow.isBound(), fast.isBound()]);
  await mapBounded(numbersTo(MESSAGES), (index) =>
    environment.accept(workspaceId, `+1415555${String(index).padStart(4, '0')}`, {
      from: SENDER,
      body: `Text ${index}`,
    }),
  );
  await vi.waitFor(
    async () => expect(await countByStatus()).toEqual({ delivered: MESSAGES }),
    EVENTUALLY,
  );
  expect(slow.phones.size + fast.phones.size).toBe(MESSAGES);
  // Most of the others are sent by the other account without an attempt at the throttled one.
  expect(slow.counts.accepted).toBeGreaterThanOrEqual(5);
  expect(slow.counts.throttled).toBeLessThan(MESSAGES / 3);
});
