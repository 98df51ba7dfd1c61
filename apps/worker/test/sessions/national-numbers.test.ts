import { createProviderProblemStore } from '@switchboard/database';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { startRawEnvironment } from './start-raw-smsc.ts';

const OK = 0;

test('an SMPP account reads national numbers with its country, which applies to open sessions, and says which it cannot read', async () => {
  const { smsc, database, workspaceId, providerId } = await startRawEnvironment();
  const { pool } = database;
  const findSenders = async () => {
    const { rows } = await pool.query<{ from: string }>(
      `SELECT "from" FROM messages WHERE workspace_id = $1 AND direction = 'inbound' ORDER BY id`,
      [workspaceId],
    );
    return rows.map(({ from }) => from);
  };
  const deliver = async (sourceTon: number, source: string, shortMessage: string) =>
    smsc.deliver({
      sourceTon,
      source,
      destinationTon: 3,
      destination: '12345',
      shortMessage: Buffer.from(shortMessage),
    });
  // The session opens with the worker, and again after the country was changed.
  const untilDelivered = (...message: Parameters<typeof deliver>) =>
    vi.waitFor(async () => expect(await deliver(...message)).toBe(OK), EVENTUALLY);
  const setCountry = (country: string) =>
    pool.query('UPDATE provider_accounts SET country = $2 WHERE id = $1', [providerId, country]);
  const untilReadAs = (right: string, ton: number, source: string) =>
    vi.waitFor(async () => {
      await deliver(ton, source, `Read as ${right}`);
      expect(await findSenders()).toContain(right);
    }, EVENTUALLY);

  // The account's own number is American.
  await untilDelivered(2, '4155558596', 'An American number');
  expect(await findSenders()).toEqual(['+14155558596']);

  await untilDelivered(2, '612345678', 'A French number');
  expect(await findSenders()).toContain('612345678');
  await vi.waitFor(async () => {
    const problems = await createProviderProblemStore(database).list(workspaceId);
    expect(problems).toMatchObject([{ providerId, kind: 'unread_number', example: '612345678' }]);
  }, EVENTUALLY);

  await setCountry('FR');
  await untilReadAs('+33612345678', 2, '612345678');
});
