import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type LongMessageStore,
  type SessionDeliveryStore,
  createLongMessageStore,
  createSessionDeliveryStore,
} from '../../src/index.ts';
import { type SessionEnvironment, openSessionEnvironment } from './environment.ts';

let environment: SessionEnvironment;
let deliveries: SessionDeliveryStore;
let longMessages: LongMessageStore;

beforeAll(async () => {
  environment = await openSessionEnvironment();
  deliveries = createSessionDeliveryStore(environment.database);
  longMessages = createLongMessageStore(environment.database);
});
afterAll(() => environment.close());

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

async function startAccount() {
  const { workspaceId, id: providerId } = await environment.addAccount();
  const identify = (text: string, connection: string) =>
    deliveries.identify({ workspaceId, providerId, digest: digestOf(text), connection });
  const key = { workspaceId, providerId, vendorAccountId: 'a@b:1', from: '+1', to: '+2' };
  const addPart = async (
    sequence: number,
    body: string,
    { reference = 7, total = 3, connection = 'c', deliveryId = '' } = {},
  ) => {
    const id =
      deliveryId === '' ? await identify(`${sequence}${body}`, uuidOf(connection)) : deliveryId;
    const content = `as it came: ${body}`;
    return longMessages.addPart({
      ...key,
      reference,
      total,
      sequence,
      body,
      content,
      deliveryId: id,
    });
  };
  return { workspaceId, providerId, identify, addPart, key };
}

const uuidOf = (name: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`;

test('two equal messages in one connection are distinct, and each repeat in the next connection matches one of them', async () => {
  const { identify } = await startAccount();
  const [before, after] = [randomUUID(), randomUUID()];
  const first = [await identify('Yes', before), await identify('Yes', before)];
  expect(new Set(first).size).toBe(2);
  const repeated = await Promise.all([identify('Yes', after), identify('Yes', after)]);
  expect(repeated.toSorted()).toEqual(first.toSorted());
  expect(first).not.toContain(await identify('Yes', after));
});

test('an equal message is not a repeat once the response to the first has arrived', async () => {
  const { identify, workspaceId } = await startAccount();
  const id = await identify('Yes', randomUUID());
  await deliveries.forget(workspaceId, [id]);
  expect(await identify('Yes', randomUUID())).not.toBe(id);
});

test('an equal message is a repeat for a limited time after the next connection', async () => {
  const { identify, workspaceId, providerId } = await startAccount();
  const id = await identify('Yes', randomUUID());
  await deliveries.limitRepeats({ workspaceId, providerId, connection: randomUUID() });
  await environment.database.pool.query(
    `UPDATE session_deliveries SET expires_at = expires_at - interval '11 minutes'
     WHERE provider_id = $1`,
    [providerId],
  );
  expect(await identify('Yes', randomUUID())).not.toBe(id);
  expect(await deliveries.deleteExpired(10)).toBe(1);
});

test('the parts of a long message are joined in any order of arrival, even if some are repeated', async () => {
  const { addPart } = await startAccount();
  // The halves of one character.
  const [high, low] = ['\ud83d', '\ude00'];
  await addPart(3, ' end');
  await addPart(1, `start ${high}`);
  await addPart(1, `start ${high}`, { connection: 'd' });
  const whole = await addPart(2, low);
  if (typeof whole === 'string') throw new Error(whole);
  const parts = [...whole.parts.values()];
  expect(parts.map(({ body }) => body).join('')).toBe('start 😀 end');
  expect(parts[2]?.content).toBe('as it came:  end');
  expect(whole.type).toBe('twilio');
});

test('a part that arrives again after its message was stored adds nothing', async () => {
  const { addPart, identify } = await startAccount();
  await addPart(1, 'one', { total: 2 });
  const deliveryId = await identify('2two', uuidOf('c'));
  const whole = await addPart(2, 'two', { total: 2, deliveryId });
  if (typeof whole === 'string') throw new Error(whole);
  await longMessages.remove(whole);
  expect(await addPart(2, 'two', { total: 2, deliveryId })).toBe('repeated');
});

test('a part with the reference of an incomplete message does not overwrite its text', async () => {
  const { addPart, key } = await startAccount();
  await addPart(1, 'old');
  expect(await addPart(1, 'new')).toBe('reused');
  const earlier = await longMessages.find({ ...key, reference: 7, total: 3 });
  expect(earlier?.parts).toEqual(new Map([[1, { body: 'old', content: 'as it came: old' }]]));
});

test('an incomplete message is due an hour after its first part, and a complete one after thirty seconds', async () => {
  const { addPart, providerId } = await startAccount();
  await environment.database.pool.query('DELETE FROM long_inbound_messages');
  const later = (minutes: number) =>
    environment.database.pool.query(
      `UPDATE long_inbound_messages SET due_at = due_at - $2::int * interval '1 minute'
       WHERE provider_id = $1`,
      [providerId, minutes],
    );
  await addPart(1, 'one', { total: 2 });
  await later(59);
  expect(await longMessages.takeDue(10, 60_000)).toEqual([]);
  await later(1);
  expect(await longMessages.takeDue(10, 60_000)).toMatchObject([{ total: 2 }]);
  // Another worker does not take the message from the first one.
  expect(await longMessages.takeDue(10, 60_000)).toEqual([]);
  await addPart(2, 'two', { total: 2 });
  await later(1);
  const [complete] = await longMessages.takeDue(10, 60_000);
  expect(complete?.parts.size).toBe(2);
});

test('all deliveries and parts of a workspace are deleted with it', async () => {
  const { addPart, workspaceId } = await startAccount();
  await addPart(1, 'one');
  const { pool } = environment.database;
  await pool.query('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
  const { rows } = await pool.query<{ n: number }>(
    `SELECT (SELECT count(*) FROM session_deliveries WHERE workspace_id = $1)::int
       + (SELECT count(*) FROM long_inbound_messages WHERE workspace_id = $1)::int AS n`,
    [workspaceId],
  );
  expect(rows).toEqual([{ n: 0 }]);
});
