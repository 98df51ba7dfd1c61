import { randomUUID } from 'node:crypto';
import {
  createDispatchPolicy,
  createUuidV7,
  decideDirectEvidence,
  testWorkspaceOf,
} from '@switchboard/core';
import {
  type Database,
  OPERATOR,
  createCreateTestWorkspace,
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

test('what is stored about the person after the request stays, and what was there before is deleted', async () => {
  const { workspaceId, from: number, request, erase, receive } = await start();
  await receive(null, null);
  const add = async (name: string, createdAt: Date, of: string) => {
    const shared = { workspaceId, number: of, createdAt };
    const about = { name, searchText: '', fields: {}, tags: [], updatedAt: createdAt };
    await database.prisma.contact.create({ data: { ...shared, ...about, id: randomUUID() } });
    const note = { body: name, mentions: [], mentionRanges: [] };
    await database.prisma.note.create({ data: { ...shared, ...note, id: randomUUID() } });
  };
  await add('Before', new Date(Date.now() - MINUTE_MS), number);
  await request();
  const erasing = createErasingStore(database);
  const erasure = await erasing.takeDue();
  if (erasure?.workspaceId !== workspaceId) throw new Error('the erasure is not due');
  await erasing.eraseRecords(erasure);
  const where = { workspaceId };
  expect(await database.prisma.contact.count({ where })).toBe(0);
  expect(await database.prisma.note.count({ where })).toBe(0);

  await add('After', new Date(Date.now() + MINUTE_MS), number);
  await database.prisma.erasure.updateMany({ where, data: { nextStepAt: new Date(0) } });
  expect(await erase()).toBe(true);
  expect(await database.prisma.contact.findMany({ where })).toMatchObject([{ name: 'After' }]);
  expect(await database.prisma.note.findMany({ where })).toMatchObject([{ body: 'After' }]);
});

test('an erasure waits for words that are written in its workspace, and for none in another one', async () => {
  const here = await start();
  const other = await start();
  await here.receive(null, null);
  await here.request();
  const writer = await database.pool.connect();
  const write = async (workspaceId: string) => {
    await writer.query('BEGIN');
    await writer.query(
      `SELECT pg_advisory_xact_lock_shared(hashtextextended('words of ' || $1::text, 0))`,
      [workspaceId],
    );
    await writer.query(
      `INSERT INTO message_chunks (workspace_id, first_id, last_id, messages, words, rule)
       SELECT $1::uuid, uuid_v7(now() - interval '1 hour'), uuid_v7(now() + interval '1 hour'), 200, 'secret'::tsvector, 1`,
      [workspaceId],
    );
  };
  try {
    await write(here.workspaceId);
    await expect(here.erase()).rejects.toMatchObject({ code: '55P03' });
    await writer.query('COMMIT');
    const mine = { workspaceId: here.workspaceId };
    await database.prisma.erasure.updateMany({ where: mine, data: { nextStepAt: new Date(0) } });
    // Another workspace writes, and none of its locks matters here.
    await write(other.workspaceId);
    expect(await here.erase()).toBe(true);
    const { rows } = await database.pool.query<{ words: string }>(
      'SELECT words::text FROM message_chunks WHERE workspace_id = $1',
      [here.workspaceId],
    );
    expect(rows).toEqual([{ words: expect.not.stringContaining('secret') as string }]);
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
});

test('an erasure in live mode erases the person in test mode, with the numbers that the contact in live mode has', async () => {
  const { workspaceId, from: number, request } = await start();
  const second = '+14155550142';
  const at = new Date();
  const about = { name: 'Ada', searchText: '', fields: {}, tags: [], createdAt: at, updatedAt: at };
  const contact = { ...about, id: randomUUID(), workspaceId, number, otherNumbers: [second] };
  await database.prisma.contact.create({ data: contact });
  const testId = testWorkspaceOf(workspaceId);
  const account = { type: 'sandbox', vendorAccountId: 'sandbox', sealedSecret: '' };
  await createCreateTestWorkspace(database)(
    { workspaceId, account, sender: '+15005550006', createdAt: at },
    OPERATOR,
  );
  await database.prisma.contact.create({
    data: { ...about, id: randomUUID(), workspaceId: testId, number: second },
  });
  expect(await request()).toMatchObject({ kind: 'requested' });
  const erasing = createErasingStore(database);
  const due = [await erasing.takeDue(), await erasing.takeDue()].toSorted((a, b) =>
    (a?.workspaceId ?? '').localeCompare(b?.workspaceId ?? ''),
  );
  expect(due.map((erasure) => erasure?.workspaceId)).toEqual([workspaceId, testId].toSorted());
  for (const erasure of due) {
    if (erasure === null) continue;
    await erasing.eraseRecords(erasure);
    expect(await erasing.finish(erasure, 0)).toBe(true);
  }
  const left = { where: { workspaceId: { in: [workspaceId, testId] } } };
  expect(await database.prisma.contact.findMany(left)).toEqual([]);
});
