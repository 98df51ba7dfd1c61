import type { DispatchHint } from '@switchboard/core';
import { expect } from 'vitest';
import { FROM, type startEnvironment } from './start-environment.ts';

type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Claims messages like a worker that dies after `call`. Their leases expire afterwards. */
export async function claimAndDie<Result>(
  { store, database }: Pick<Environment, 'store' | 'database'>,
  hints: readonly DispatchHint[],
  call: () => Promise<Result>,
): Promise<Result> {
  const setDue = (time: string) =>
    database.pool.query(`UPDATE message_progress SET due_at = ${time} WHERE id = ANY($1::uuid[])`, [
      hints.map(({ messageId }) => messageId),
    ]);
  for (const hint of hints) {
    if ((await store.claim(hint)) === null) throw new Error('The message was not claimed.');
  }
  await setDue(`now() + interval '1 hour'`);
  const result = await call();
  await setDue('now()');
  return result;
}

/** Sends the request of the worker that died. */
export async function sendAs(
  { simulator }: Pick<Environment, 'simulator'>,
  accountSid: string,
  { to, body }: { to: string; body: string },
): Promise<string> {
  const response = await fetch(`${simulator.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${accountSid}:token of ${accountSid}`)}`,
      connection: 'close',
    },
    body: new URLSearchParams({ To: to, From: FROM, Body: body }),
  });
  expect(response.status).toBe(201);
  const { sid } = (await response.json()) as { sid: string };
  return sid;
}
