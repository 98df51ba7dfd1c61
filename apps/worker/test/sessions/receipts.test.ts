import {
  OPERATOR,
  createProviderAccountStore,
  createProviderProblemStore,
} from '@switchboard/database';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { startRawEnvironment } from './start-raw-smsc.ts';
import { sealCredentials } from './start-session-environment.ts';

const A = '+14155550100';
const B = '+14155550101';
const OK = 0;

test('receipts settle their messages by themselves, in another base, in capitals and with leading zeros', async () => {
  const { smsc, send, until } = await startRawEnvironment();
  const pairs = [
    ['00B8BE19', 'b8be19'],
    ['39f99dd5', '0972660181'],
    ['0000029095', '29095'],
    ['1234567', '12D687'],
    ['A-1', 'A-1'],
  ] as const;
  for (const [inResponse, inReceipt] of pairs) {
    const messageId = await send(A, inResponse);
    expect(await smsc.report(A, `id:${inReceipt} stat:DELIVRD err:000`)).toBe(OK);
    const row = await until(messageId, ({ status }) => status === 'delivered');
    expect(row.provider_sid).toBe(inResponse);
  }
});

test('two messages to which the SMSC gives one identifier both settle, by address and then by time', async () => {
  const { smsc, send, until, readTimeline } = await startRawEnvironment();
  const first = await send(A, '7');
  const second = await send(B, '7');
  const third = await send(B, '7');
  expect(await smsc.report(B, 'id:7 stat:UNDELIV err:027')).toBe(OK);
  await until(second, ({ status }) => status === 'undelivered');
  expect(await smsc.report(B, 'id:7 stat:DELIVRD err:000')).toBe(OK);
  await until(third, ({ status }) => status === 'delivered');
  expect((await until(first, () => true)).status).toBe('queued');
  expect(await smsc.report(A, 'id:7 stat:DELIVRD err:000')).toBe(OK);
  await until(first, ({ status }) => status === 'delivered');
  for (const id of [first, second, third]) {
    const timeline = await readTimeline(id);
    expect(timeline.join()).not.toContain('did not report');
    expect(timeline).toContainEqual(expect.stringMatching(/^provider_accepted/));
  }
});

test('the timeline shows the words of a receipt, and the account shows how many have an unknown state', async () => {
  const { smsc, send, until, readTimeline, workspaceId, providerId, database } =
    await startRawEnvironment();
  const failed = await send(A, '1');
  expect(await smsc.report(A, 'id:1 stat:FAILED err:000')).toBe(OK);
  expect((await until(failed, ({ status }) => status === 'undelivered')).error_code).toBe('FAILED');
  expect(await readTimeline(failed)).toContain('status_changed: Provider status FAILED');
  const unknown = await send(A, '2');
  expect(await smsc.report(A, 'id:2 stat:TELEPORTED err:000')).toBe(OK);
  await vi.waitFor(async () => {
    expect(await readTimeline(unknown)).toContain('status_changed: Provider status TELEPORTED');
  }, EVENTUALLY);
  const problems = createProviderProblemStore(database);
  await vi.waitFor(async () => {
    expect(await problems.list(workspaceId)).toMatchObject([
      { providerId, kind: 'unknown_state', count: 1, example: 'TELEPORTED' },
    ]);
  }, EVENTUALLY);
});

test('a receipt that arrives before its response settles the message in any form', async () => {
  const { smsc, send, until } = await startRawEnvironment();
  await send(B, 'earlier');
  expect(await smsc.report(A, 'id:255 stat:DELIVRD err:000')).toBe(OK);
  const messageId = await send(A, 'FF');
  await until(messageId, ({ status }) => status === 'delivered');
});

test('receipts that match no message show at the account, and settle after a correction of the settings', async () => {
  const { smsc, send, until, workspaceId, providerId, credentials, database } =
    await startRawEnvironment();
  const hexadecimal = await send(A, 'a');
  const other = await send(A, '16');
  // It may name either of the two.
  expect(await smsc.report(A, 'id:10 stat:DELIVRD err:000')).toBe(OK);
  const problems = createProviderProblemStore(database);
  await vi.waitFor(async () => {
    expect(await problems.list(workspaceId)).toEqual([
      {
        providerId,
        kind: 'unmatched',
        count: 1,
        since: expect.any(Date),
        example: '10',
        waiting: '16',
      },
    ]);
  }, EVENTUALLY);
  const { vendorAccountId, sealed, secretLast4 } = await sealCredentials(workspaceId, {
    ...credentials,
    message_ids: 'hex_in_response',
  });
  const changed = { vendorAccountId, sealedSecret: sealed, secretLast4, senderPool: null };
  const change = { credentials: changed, at: new Date() };
  const accounts = createProviderAccountStore(database);
  expect(await accounts.update(workspaceId, providerId, change, OPERATOR)).toBe('changed');
  await until(hexadecimal, ({ status }) => status === 'delivered');
  expect((await until(other, () => true)).status).toBe('queued');
  await vi.waitFor(async () => expect(await problems.list(workspaceId)).toEqual([]), EVENTUALLY);
});

test('a character that is split between two parts of a received message is stored whole', async () => {
  const { smsc, database, workspaceId } = await startRawEnvironment();
  const part = (sequence: number, content: number[]) => ({
    esmClass: 0x40,
    shortMessage: Buffer.from([8, 0, 3, 5, 2, sequence, 0x24, 1, 1, ...content]),
  });
  await vi.waitFor(async () => {
    expect(await smsc.deliver(part(2, [0x67, 0x21]))).toBe(OK);
  }, EVENTUALLY);
  expect(await smsc.deliver(part(1, [0x64, 0x61, 0x1b]))).toBe(OK);
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query<{ body: string }>(
      `SELECT body FROM messages WHERE workspace_id = $1 AND direction = 'inbound'`,
      [workspaceId],
    );
    expect(rows).toEqual([{ body: 'dağ!' }]);
  }, EVENTUALLY);
});
