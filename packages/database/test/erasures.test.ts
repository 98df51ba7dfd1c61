import { randomUUID } from 'node:crypto';
import { createDispatchPolicy, createUuidV7, decideDirectEvidence } from '@switchboard/core';
import {
  type Database,
  OPERATOR,
  createDatabase,
  createErasingStore,
  createErasureStore,
  createMessageStore,
} from '@switchboard/database';
import { EVENTUALLY, type TestDatabase, createTestDatabase } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS, startKeywordWorkspace } from './start-keyword-workspace.ts';

type Evidence = Parameters<typeof decideDirectEvidence>[1];

const POLICY = createDispatchPolicy({ unknownLookupsMs: [1_000], pollsMs: [1_000] });
const REPORT: Evidence = {
  sid: 'SM1',
  providerId: '',
  vendorAccountId: 'AC1',
  status: 'sent',
  rawStatus: 'sent',
  from: null,
  errorCode: null,
  errorDetail: null,
  isOptOut: false,
};

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = createDatabase({
    url: server.url,
    poolSize: 8,
    applicationName: 'test',
    connectTimeoutMs: EVENTUALLY.timeout,
    statementTimeoutMs: EVENTUALLY.timeout,
    onError: () => undefined,
    hashErased: (text) => [`erased:1:${Buffer.from(text).toString('base64url')}`],
  });
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

async function start() {
  const workspace = await startKeywordWorkspace(database);
  const { workspaceId, from: number } = workspace;
  const store = createMessageStore(database, { leaseMs: 1_000, hintGraceMs: 1_000 });
  const request = () =>
    createErasureStore(database).request(workspaceId, createUuidV7(Date.now()), number, OPERATOR);
  /** Does the steps of a worker, and returns whether everything here is erased. */
  async function erase(): Promise<boolean> {
    const erasing = createErasingStore(database);
    const erasure = await erasing.takeDue();
    if (erasure?.workspaceId !== workspaceId) throw new Error('the erasure is not due');
    await erasing.eraseRecords(erasure);
    await erasing.eraseMessages(erasure, 100);
    const isErased = await erasing.finish(erasure, 0);
    if (isErased) await erasing.close(erasure, MINUTE_MS);
    return isErased;
  }
  /** Sends a message and applies reports of the provider. */
  async function send(): Promise<(report: Partial<Evidence>) => Promise<void>> {
    const createdAt = new Date();
    const id = createUuidV7(createdAt.getTime());
    const message = { body: 'Hello', media: [], segments: 1, scheduledAt: null };
    const shared = { id, createdAt, workspaceId, to: number, from: '+15550000001' };
    await store.accept({ ...shared, ...message, requestId: 'r', idempotency: null });
    await store.claim({ messageId: id, workspaceId });
    const { id: providerId } = await database.prisma.providerAccount.findFirstOrThrow({
      where: { workspaceId },
    });
    return async (report) => {
      const row = await store.readRow({ workspaceId, id });
      if (row === null) throw new Error('no such message');
      const evidence = { ...REPORT, sid: `SM${id}`, providerId, ...report };
      const { change } = decideDirectEvidence(row, evidence, POLICY, 'callback');
      if (change !== null) await store.apply(change);
    };
  }
  const readOptOuts = () =>
    database.prisma.optOut.findMany({
      where: { workspaceId },
      select: { number: true, reason: true, isErased: true },
    });
  const hash = `erased:1:${Buffer.from(`${workspaceId} ${number}`).toString('base64url')}`;
  return { ...workspace, request, erase, send, readOptOuts, hash };
}

test('an erasure that only waits for copies at providers does not answer for what has come since', async () => {
  const { request, erase, receive } = await start();
  await receive(null, null);
  const first = await request();
  expect(await request()).toMatchObject({ kind: 'known' });
  expect(await erase()).toBe(true);
  if (!('erasure' in first)) throw new Error(first.kind);
  const { redactPending, id } = first.erasure;
  expect(redactPending).toBe(0);
  expect(await database.prisma.messageRedaction.count({ where: { erasureId: id } })).toBe(1);
  await receive(null, null);
  expect(await request()).toMatchObject({ kind: 'requested', erasure: { total: 1 } });
  expect(await erase()).toBe(true);
});

test('a message that the recipient may still opt out of is erased after its outcome, so that the opt-out holds', async () => {
  const { request, erase, send, readOptOuts, hash } = await start();
  const report = await send();
  await report({ status: 'sent' });
  await request();
  expect(await erase()).toBe(false);
  await report({
    status: 'undelivered',
    rawStatus: 'undelivered',
    errorCode: '21610',
    isOptOut: true,
  });
  expect(await erase()).toBe(true);
  expect(await readOptOuts()).toEqual([{ number: hash, reason: 'erased', isErased: true }]);
});

test('a report about an erased message restores no words of the provider, and stores no opt-out for a text', async () => {
  const { workspaceId, request, erase, send, readOptOuts } = await start();
  const report = await send();
  const refused = { status: 'failed', rawStatus: 'failed', errorCode: '30003' } as const;
  await report({ ...refused, errorDetail: 'Words about the person' });
  await request();
  expect(await erase()).toBe(true);
  await report({ ...refused, errorDetail: 'Words about the person' });
  const later = { ...refused, status: 'undelivered' } as const;
  await report({ ...later, rawStatus: 'Words', isRawStatusShown: true });
  await report({ ...later, errorCode: '99999', errorDetail: 'Words', isOptOut: true });
  const where = { workspaceId };
  const [records, events] = [
    await database.prisma.messageRecord.findMany({ where }),
    await database.prisma.messageEvent.findMany({ where }),
  ];
  const texts = JSON.stringify([records, events], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  // The reports have changed the message.
  expect(texts).toContain('99999');
  expect(texts).not.toContain('Words');
  expect(await readOptOuts()).toEqual([]);
});

test('a STOP that only the provider recognized opts out an erased person by the hash', async () => {
  const { request, erase, receive, readOptOuts, hash } = await start();
  const sid = randomUUID();
  const word = { word: 'Stop it please', providerKeyword: null };
  await receive(null, MINUTE_MS, sid, word);
  await request();
  expect(await erase()).toBe(true);
  await receive(null, null, sid, { ...word, providerKeyword: 'opt_out' });
  expect(await readOptOuts()).toEqual([{ number: hash, reason: 'erased', isErased: true }]);
});
