import { hash } from 'node:crypto';
import { EVENTUALLY } from '@switchboard/testing';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { callBack } from '../call-back.ts';
import { ask, expectRefusal } from '../start-service.ts';
import { addPerson, dataOf } from '../workspace-client.ts';
import { dumpDatabase, dumpRedis, findTexts, listTextTables } from './dump-all.ts';
import {
  OTHER_FORM,
  OURS,
  SECOND,
  SOMEONE_ELSE,
  THEIRS,
  TRACES,
  key,
  owner,
  receive,
  redis,
  rowsOfPerson,
  send,
  service,
  simulator,
  restartWorker,
  untilErased,
  useEnvironment,
  worker,
  workspace,
} from './environment.ts';
import { live } from './live.ts';
import { TABLES } from './text-tables.ts';

useEnvironment();

describe('after the life of a person', () => {
  let messages: Awaited<ReturnType<typeof live>>;
  let countsBefore: unknown;
  let erasure: Record<string, unknown>;
  let logged: number;
  const logs = () => [...service.apis, worker].flatMap((process) => process.logs);
  const readCounts = () =>
    service.sql(`SELECT direction, status, sum(n)::int AS n FROM all_message_counts
      WHERE status NOT IN ('scheduled', 'canceled') GROUP BY 1, 2 ORDER BY 1, 2`);

  beforeAll(async () => {
    messages = await live();
    countsBefore = await readCounts();
  });

  test('every table with a text is considered', async () => {
    expect(Object.keys(TABLES).toSorted()).toEqual(
      (await listTextTables(service)).filter((name) => !name.startsWith('_')),
    );
  });

  test('the search through the dump finds the person in each table that an erasure changes', async () => {
    const before = findTexts(await dumpDatabase(service), TRACES);
    const expected = Object.keys(TABLES).filter((name) => TABLES[name] === 'erased');
    // Only a message in progress is in this one, and events that have no number yet in that one.
    const optional = new Set(['message_progress', 'webhook_other_events']);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(expected.filter((name) => !optional.has(name))),
    );
    expect(new Set(Object.values(before).flat())).toEqual(new Set(TRACES));
  });

  test('an erasure leaves nothing of the person in any table, in Redis or in a log line', async () => {
    logged = logs().length;
    const member = await addPerson(service, workspace, 'member');
    const path = `/people/${encodeURIComponent(THEIRS)}/erase`;
    expectRefusal(await member.client(path, { method: 'POST' }), 403, 'forbidden');
    const requested = await owner(path, { method: 'POST' });
    expect(requested.status).toBe(201);
    expect(requested.json).toMatchObject({ messages: { total: 107 } });
    erasure = await untilErased(String(requested.json?.['id']));

    expect(findTexts(await dumpDatabase(service), TRACES)).toEqual({});
    const all = new Map([
      ['redis', await dumpRedis(redis)],
      ['logs', logs().slice(logged).join('\n')],
    ]);
    expect(findTexts(all, TRACES)).toEqual({});
    // The reading of Redis finds what is there.
    expect(all.get('redis')).toContain('REDIS');
    expect(all.get('logs')).toContain('person erased');
  });

  test('it reports what it did, and what the provider has removed', async () => {
    expect(erasure).toMatchObject({
      messages: { total: 107, erased: 107, canceled: 1, waiting: 0 },
      // Three were delivered, three received, and the reply to STOP.
      provider_copies: { pending: 0, failed: 0, kept: 0 },
    });
    expect(erasure['provider_copies']).toMatchObject({ removed: 6 });
    const { sid, accountSid } = await sidOf(messages.delivered);
    const login = Buffer.from(`${accountSid}:${workspace.authToken}`).toString('base64');
    const headers = { authorization: `Basic ${login}` };
    const at = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}`;
    expect((await ask(simulator.url, `${at}.json`, { headers })).json).toMatchObject({ body: '' });
    expect((await ask(simulator.url, `${at}/Media.json`, { headers })).json).toMatchObject({
      media_list: [],
    });
  });

  test('the messages keep their status, times and sender, and the counts stay', async () => {
    expect((await key(`/messages/${messages.delivered}`)).json).toMatchObject({
      to: 'erased',
      from: OURS,
      body: '',
      media: [],
      reference: null,
      metadata: {},
      status: 'delivered',
      sent_at: expect.any(String) as string,
    });
    expect((await key(`/messages/${messages.scheduled}`)).json).toMatchObject({
      to: 'erased',
      status: 'canceled',
    });
    expect(await readCounts()).toEqual(countsBefore);
    // The file of the message is gone, and no conversation has the erased messages.
    await vi.waitFor(async () => {
      expect((await key(`/media/${messages.picture}`)).status).toBe(404);
    }, EVENTUALLY);
    const numbers = dataOf(await owner('/conversations')).map(({ number }) => number);
    expect(numbers).toEqual([SOMEONE_ELSE]);
  });

  test('the data of others stays, and the search still finds it', async () => {
    const found = await owner('/messages/search?search=ordinary');
    expect(dataOf(found)).toHaveLength(50);
    const notes = `/conversations/${encodeURIComponent(SOMEONE_ELSE)}/notes`;
    expect(JSON.stringify((await owner(notes)).json)).toContain('Knows •');
  });

  test('a saved view of a reference stays if messages of others have the reference', async () => {
    const views = dataOf(await owner('/saved-views')).map(({ name, filters }) => [name, filters]);
    expect(views).toEqual(
      expect.arrayContaining([
        ['One ticket', { reference: 'erased' }],
        ['Newsletter', { reference: 'newsletter' }],
      ]),
    );
    const found = await key('/messages?reference=newsletter');
    expect(found.json).toMatchObject({ messages: [{ to: SOMEONE_ELSE }] });
  });

  test('a repeated webhook or a repeated request with the same key does not bring anything back', async () => {
    const { sid } = await sidOf(messages.delivered);
    const [received] = await service.sql<{ sid: string }>(
      `SELECT provider_sid AS sid FROM message_records WHERE direction = 'inbound' AND provider_sid IS NOT NULL
       AND "from" = 'erased' LIMIT 1`,
    );
    const status = { MessageSid: sid, MessageStatus: 'delivered', To: THEIRS, From: OURS };
    await callBack(service.url, workspace, status, { message: messages.delivered });
    const fields = { MessageSid: String(received?.sid), From: THEIRS, To: OURS, Body: 'zephyrine' };
    await callBack(service.url, workspace, { ...fields, NumMedia: '0' }, { kind: 'inbound' });
    expect(findTexts(await dumpDatabase(service), TRACES)).toEqual({});
  });

  test.each([THEIRS, OTHER_FORM, SECOND])('the opt-out still holds for %s', async (number) => {
    const refused = await key('/messages', { json: { to: number, from: OURS, body: 'Hello' } });
    expectRefusal(refused, 400, 'recipient_opted_out');
    const added = await owner('/opt-outs', { json: { number } });
    expectRefusal(added, 400, 'already_exists');
  });

  test('a list of opt-outs shows no number and no reason', async () => {
    expect(dataOf(await owner('/opt-outs'))).toMatchObject([
      { number: 'erased', reason: 'erased' },
      { number: 'erased', reason: 'erased' },
    ]);
  });

  test('START of the person ends the opt-out', async () => {
    await receive(OTHER_FORM, 'START');
    await vi.waitFor(async () => {
      const sent = await key('/messages', { json: { to: THEIRS, from: OURS, body: 'Welcome' } });
      expect(sent.status).toBe(201);
    }, EVENTUALLY);
    expect(await rowsOfPerson(THEIRS)).toEqual([{ n: 1 }]);
  });

  async function sidOf(id: string): Promise<{ sid: string; accountSid: string }> {
    const sid = String((await key(`/messages/${id}`)).json?.['provider_sid']);
    return { sid, accountSid: workspace.accountSid };
  }
});

test('a number of the workspace is not a person', async () => {
  const refused = await owner(`/people/${encodeURIComponent(OURS)}/erase`, { method: 'POST' });
  expectRefusal(refused, 400, 'invalid_params', 'number of this workspace');
});

test('the audit trail has the request with a hash, and not the number', async () => {
  const number = '+14155550166';
  const path = `/people/${encodeURIComponent(number)}/erase`;
  expect((await owner(path, { method: 'POST' })).status).toBe(201);
  // The newest entry is the first one.
  const [found] = dataOf(await owner('/audit?limit=1'));
  expect(found).toMatchObject({
    action: 'person.erase_requested',
    target: expect.stringMatching(/^erased:1:[\w-]{43}$/) as string,
  });
  expect(JSON.stringify(found)).not.toContain(hash('sha256', number, 'base64url'));
  expect(JSON.stringify(found)).not.toContain(number.slice(1));
});

test('an erasure waits for a message in flight, is one request however often it is made, and survives its worker', async () => {
  const number = '+14155550199';
  const path = `/people/${encodeURIComponent(number)}/erase`;
  await worker.stop();
  const first = await send({ to: number, body: 'In flight' });
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const waiting = await send({ to: number, body: 'Not sent yet', scheduled_at: at });
  // As a worker leaves a message that it has claimed, for longer than this test.
  await service.sql(
    `UPDATE message_progress SET dispatch = 'inflight', status = 'sending', attempt = 1, version = version + 1,
       due_at = now() + interval '1 hour' WHERE id = $1`,
    [first],
  );
  const requested = await owner(path, { method: 'POST' });
  const id = String(requested.json?.['id']);
  expect((await owner(path, { method: 'POST' })).json).toMatchObject({ id });
  await restartWorker();
  await vi.waitFor(async () => {
    expect((await owner(`/erasures/${id}`)).json).toMatchObject({
      state: 'erasing',
      messages: { total: 2, erased: 1, canceled: 1, waiting: 1 },
    });
  }, EVENTUALLY);
  expect((await key(`/messages/${waiting}`)).json).toMatchObject({ status: 'canceled', body: '' });
  expect((await key(`/messages/${first}`)).json).toMatchObject({ to: number, body: 'In flight' });

  await worker.kill();
  await service.sql(`UPDATE message_progress SET dispatch = 'rejected' WHERE id = $1`, [first]);
  await service.sql(`UPDATE erasures SET next_step_at = now() WHERE id = $1`, [id]);
  await restartWorker();
  await untilErased(id);
  expect(
    findTexts(await dumpDatabase(service), [number.slice(1), 'In flight', 'Not sent yet']),
  ).toEqual({});
});
