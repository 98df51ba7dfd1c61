import { randomUUID } from 'node:crypto';
import { type Database } from '@switchboard/database';
import { type TestDatabase, createTestDatabase, openTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS, startKeywordWorkspace } from './start-keyword-workspace.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = openTestDatabase(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const startWorkspace = () => startKeywordWorkspace(database);

describe('a keyword that only the provider recognizes, in a webhook that arrives after the list', () => {
  const CUSTOM = { word: 'BASTA', providerKeyword: null };

  test('a keyword in a late webhook takes effect on the message that was imported from the list', async () => {
    const { receive, isOptedOut, workspaceId } = await startWorkspace();
    const [stop, start] = [randomUUID(), randomUUID()];
    await receive(null, 10 * MINUTE_MS, stop, CUSTOM);
    expect(await isOptedOut()).toBe(false);
    await receive(null, null, stop, { ...CUSTOM, providerKeyword: 'opt_out' });
    expect(await isOptedOut()).toBe(true);
    await receive(null, 5 * MINUTE_MS, start, CUSTOM);
    await receive(null, null, start, { ...CUSTOM, providerKeyword: 'opt_in' });
    expect(await isOptedOut()).toBe(false);
    expect(await database.prisma.messageRecord.count({ where: { workspaceId } })).toBe(2);
  });

  test('a keyword in a late webhook has no effect if a later START or STOP contradicts it, or if its message is older than 7 days', async () => {
    const started = await startWorkspace();
    const [stop, start, old] = [randomUUID(), randomUUID(), randomUUID()];
    await started.receive(null, 10 * MINUTE_MS, stop, CUSTOM);
    await started.receive('opt_in', 5 * MINUTE_MS);
    await started.receive(null, null, stop, { ...CUSTOM, providerKeyword: 'opt_out' });
    expect(await started.isOptedOut()).toBe(false);
    const stopped = await startWorkspace();
    await stopped.receive(null, 10 * MINUTE_MS, start, CUSTOM);
    await stopped.receive('opt_out', 5 * MINUTE_MS);
    await stopped.receive(null, null, start, { ...CUSTOM, providerKeyword: 'opt_in' });
    expect(await stopped.isOptedOut()).toBe(true);
    const replayed = await startWorkspace();
    await replayed.receive(null, 8 * 24 * 60 * MINUTE_MS, old, CUSTOM);
    await replayed.receive(null, null, old, { ...CUSTOM, providerKeyword: 'opt_out' });
    expect(await replayed.isOptedOut()).toBe(false);
  });

  test('a keyword in a late webhook has no second effect when the webhook is repeated after a START', async () => {
    const { receive, isOptedOut } = await startWorkspace();
    const sid = randomUUID();
    const revoke = { ...CUSTOM, providerKeyword: 'opt_out' as const };
    await receive(null, null, sid, revoke);
    await receive('opt_in', null);
    await receive(null, null, sid, revoke);
    expect(await isOptedOut()).toBe(false);
  });
});
