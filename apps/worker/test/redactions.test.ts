import { once } from 'node:events';
import { createServer } from 'node:http';
import { createUuidV7 } from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { addSecondAccount } from './add-second-account.ts';
import { SLOW_CALLS, startEnvironment } from './start-environment.ts';
import { startHungServer } from './start-hung-server.ts';

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Adds an erased person with a copy of a message at an account. */
async function addRedaction(
  { database }: Environment,
  of: { workspaceId: string; providerId: string; attempts?: number },
): Promise<string> {
  const id = createUuidV7(Date.now());
  await database.pool.query(
    `INSERT INTO erasures (id, workspace_id, number_hash, numbers, before_id, total, erased_at, next_step_at)
     VALUES ($1::uuid, $2, 'hash', '{}', $1, 1, now(), now())`,
    [id, of.workspaceId],
  );
  await database.pool.query(
    `INSERT INTO message_redactions (workspace_id, erasure_id, message_id, provider_id, provider_sid, attempts)
     VALUES ($1, $2::uuid, $2, $3, $4, $5)`,
    [of.workspaceId, id, of.providerId, `SM${'0'.repeat(32)}`, of.attempts ?? 0],
  );
  return id;
}

async function readCounts({ database }: Environment, id: string): Promise<Record<string, unknown>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT e.redacted, e.redact_failed AS failed, (SELECT count(*)::int FROM message_redactions r
       WHERE r.workspace_id = e.workspace_id AND r.erasure_id = e.id) AS pending FROM erasures e WHERE id = $1`,
    [id],
  );
  return rows[0] ?? {};
}

/** Starts a provider that knows no message, and that fails for one account. */
async function startProvider(failingAccount: string): Promise<string> {
  const server = createServer((request, response) => {
    const status = request.url?.includes(failingAccount) === true ? 503 : 404;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: status === 404 ? 20404 : 20503, status, message: 'No' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

test('a copy that could not be removed 95 times is tried once more, counts as failed, and does not stop the others', async () => {
  const accountSid = `AC${'f'.repeat(32)}`;
  const environment = await startEnvironment({ providerUrl: await startProvider(accountSid) });
  const failing = await environment.addWorkspace({ accountSid });
  const other = await environment.addWorkspace();
  const failed = await addRedaction(environment, { ...failing, attempts: 95 });
  const redacted = await addRedaction(environment, other);
  await environment.startWorker();
  await expect
    .poll(() => readCounts(environment, redacted), EVENTUALLY)
    .toEqual({ redacted: 1, failed: 0, pending: 0 });
  await expect
    .poll(() => readCounts(environment, failed), EVENTUALLY)
    .toEqual({ redacted: 0, failed: 1, pending: 0 });
});

test('while a provider does not answer a request to remove a copy, a scheduled message of another workspace is sent', async () => {
  const hung = await startHungServer('/Media.json');
  const environment = await startEnvironment({ providerUrl: hung.url, hintGraceMs: 200 });
  const erasing = await environment.addWorkspace();
  const { workspaceId } = await environment.addWorkspace();
  await addSecondAccount(environment, workspaceId, { type: 'sandbox', account: 'sandbox-1' });
  const copies = [
    await addRedaction(environment, erasing),
    await addRedaction(environment, erasing),
  ];
  const { logs, stop } = await environment.startWorker(SLOW_CALLS);
  await expect.poll(hung.countRequests, EVENTUALLY).toBe(1);

  const from = '+14155550123';
  const message = await environment.accept(workspaceId, '+14155550100', { from, hint: false });
  await environment.until(message.messageId, ({ dispatch }) => dispatch === 'accepted');
  // The worker has not given up on the request, and there is only one.
  expect(logs.filter(({ msg }) => String(msg).startsWith('failed to redact'))).toEqual([]);
  expect(hung.countRequests()).toBe(1);

  const stopping = stop();
  hung.disconnect();
  await stopping;
  // The account is left alone after its first failure.
  expect(hung.countRequests()).toBe(1);
  for (const copy of copies) {
    expect(await readCounts(environment, copy)).toMatchObject({ pending: 1 });
  }
});
