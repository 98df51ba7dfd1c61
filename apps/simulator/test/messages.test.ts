import { EVENTUALLY } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import {
  createClient,
  FROM,
  makeAccountSid,
  readLedger,
  startSimulator,
} from './start-simulator.ts';

const TO = '+15551230001';

async function waitForStatus(
  client: Awaited<ReturnType<typeof startSimulator>>['client'],
  sid: string,
  status: string,
) {
  return vi.waitFor(
    async () => {
      const message = await client.messages(sid).fetch();
      expect(message.status).toBe(status);
      return message;
    },
    { ...EVENTUALLY, interval: 10 },
  );
}

test('a message sent with the official client is queued and then delivered', async () => {
  const { client, accountSid } = await startSimulator();
  const created = await client.messages.create({ to: TO, from: FROM, body: 'Hello' });
  expect(created).toMatchObject({
    accountSid,
    apiVersion: '2010-04-01',
    body: 'Hello',
    dateSent: null,
    direction: 'outbound-api',
    errorCode: null,
    errorMessage: null,
    from: FROM,
    messagingServiceSid: null,
    numMedia: '0',
    numSegments: '1',
    price: null,
    priceUnit: 'USD',
    status: 'queued',
    to: TO,
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${created.sid}.json`,
  });
  expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/);
  expect(Math.abs(created.dateCreated.getTime() - Date.now())).toBeLessThan(60_000);

  const delivered = await waitForStatus(client, created.sid, 'delivered');
  expect(delivered.dateSent).toBeInstanceOf(Date);
});

test('a message with media is an MMS, and its media are listed', async () => {
  const { client } = await startSimulator();
  const mediaUrl = ['https://example.com/a.png', 'https://example.com/b.gif'];
  const message = await client.messages.create({ to: TO, from: FROM, mediaUrl });
  expect(message.sid).toMatch(/^MM[0-9a-f]{32}$/);
  expect(message.numMedia).toBe('2');
  const media = await client.messages(message.sid).media.list();
  expect(media.map(({ contentType }) => contentType)).toEqual(['image/png', 'image/gif']);
});

test('the segments of a message are counted in the encoding that its text requires', async () => {
  const { client } = await startSimulator();
  const gsm = await client.messages.create({ to: TO, from: FROM, body: 'a'.repeat(161) });
  const ucs = await client.messages.create({ to: TO, from: FROM, body: 'ж'.repeat(135) });
  expect([gsm.numSegments, ucs.numSegments]).toEqual(['2', '3']);
});

test('a message of a messaging service is accepted without a sender and gets one later', async () => {
  const { client } = await startSimulator();
  await client.incomingPhoneNumbers.list({ phoneNumber: '+15557770001' });
  const messagingServiceSid = `MG${'a'.repeat(32)}`;
  const created = await client.messages.create({ to: TO, messagingServiceSid, body: 'Hi' });
  expect(created).toMatchObject({ status: 'accepted', from: null, messagingServiceSid });
  const delivered = await waitForStatus(client, created.sid, 'delivered');
  expect(delivered.from).toBe('+15557770001');
});

test('a messaging service of an account without numbers sends from the valid magic number', async () => {
  const { client } = await startSimulator();
  const messagingServiceSid = `MG${'a'.repeat(32)}`;
  const { sid } = await client.messages.create({ to: TO, messagingServiceSid, body: 'Hi' });
  expect((await waitForStatus(client, sid, 'delivered')).from).toBe(FROM);
});

test('a scheduled message can be canceled until it is sent', async () => {
  const { client } = await startSimulator();
  const scheduled = await client.messages.create({
    to: TO,
    messagingServiceSid: `MG${'a'.repeat(32)}`,
    body: 'Later',
    scheduleType: 'fixed',
    sendAt: new Date(Date.now() + 3_600_000),
  });
  expect(scheduled.status).toBe('scheduled');
  const canceled = await client.messages(scheduled.sid).update({ status: 'canceled' });
  expect(canceled.status).toBe('canceled');
  await expect(client.messages(scheduled.sid).update({ status: 'canceled' })).rejects.toMatchObject(
    {
      code: 30409,
    },
  );
});

test('the status of a canceled message no longer changes', async () => {
  const { client } = await startSimulator();
  // A message is queued for only 20 ms: on a busy machine the first attempt may be too late.
  const sid = await vi.waitFor(async () => {
    const created = await client.messages.create({ to: TO, from: FROM, body: 'No' });
    await client.messages(created.sid).update({ status: 'canceled' });
    return created.sid;
  }, EVENTUALLY);
  const later = await client.messages.create({ to: TO, from: FROM, body: 'Yes' });
  await waitForStatus(client, later.sid, 'delivered');
  expect((await client.messages(sid).fetch()).status).toBe('canceled');
});

test('a delivered message can be redacted but not canceled, and the ledger keeps its text', async () => {
  const { client, url } = await startSimulator();
  const { sid } = await client.messages.create({ to: TO, from: FROM, body: 'Secret' });
  await waitForStatus(client, sid, 'delivered');
  await expect(client.messages(sid).update({ status: 'canceled' })).rejects.toMatchObject({
    status: 409,
    code: 30409,
  });
  await client.messages(sid).update({ body: '' });
  expect((await client.messages(sid).fetch()).body).toBe('');
  expect((await readLedger(url))[0]).toMatchObject({ sid, body: 'Secret' });
});

test('messages are listed newest first, with filters for recipient, sender and date', async () => {
  const { client } = await startSimulator();
  const startedAt = new Date();
  const sids: string[] = [];
  for (const [to, from] of [
    [TO, FROM],
    ['+15551230002', FROM],
    [TO, '+15559990001'],
  ] as const) {
    sids.push((await client.messages.create({ to, from, body: 'x' })).sid);
  }
  const [first, second, third] = sids;
  const list = async (filter: Parameters<typeof client.messages.list>[0]) =>
    (await client.messages.list(filter)).map(({ sid }) => sid);

  expect(await list({})).toEqual([third, second, first]);
  expect(await list({ to: TO })).toEqual([third, first]);
  expect(await list({ to: TO, from: FROM })).toEqual([first]);
  expect(await list({ to: '+15551230009' })).toEqual([]);
  const hour = 3_600_000;
  const before = new Date(Date.now() - hour);
  const after = new Date(Date.now() + hour);
  expect(await list({ dateSentAfter: before, dateSentBefore: after })).toHaveLength(3);
  expect(await list({ dateSentAfter: after })).toEqual([]);
  expect(await list({ dateSentBefore: before })).toEqual([]);
  // The day may have changed since then.
  const days = [startedAt, new Date(startedAt.getTime() + 24 * hour)];
  const listed = await Promise.all(days.map((dateSent) => list({ dateSent })));
  expect(listed.flat()).toHaveLength(3);
  expect(await list({ dateSent: new Date(Date.now() - 48 * hour) })).toEqual([]);
});

test('paging returns every message once, even when new messages are accepted between pages', async () => {
  const { client } = await startSimulator();
  const sids: string[] = [];
  for (let i = 0; i < 7; i += 1) {
    sids.unshift((await client.messages.create({ to: TO, from: FROM, body: `${i}` })).sid);
  }
  const seen: string[] = [];
  let page = await client.messages.page({ to: TO, pageSize: 3 });
  for (;;) {
    seen.push(...page.instances.map(({ sid }) => sid));
    await client.messages.create({ to: TO, from: FROM, body: 'in between' });
    const next = await page.nextPage();
    if (next === undefined) break;
    page = next as typeof page;
  }
  expect(seen).toEqual(sids);
  expect(await client.messages.list({ to: TO, pageSize: 2, limit: 5 })).toHaveLength(5);
});

test('an account cannot read messages of another account', async () => {
  const one = await startSimulator();
  const { sid } = await one.client.messages.create({ to: TO, from: FROM, body: 'mine' });
  const other = createClient(one.url, makeAccountSid(), 'token');
  expect(await other.messages.list()).toEqual([]);
  await expect(other.messages(sid).fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
});

const longest = 'a'.repeat(1600);
const media = (count: number) =>
  Array.from({ length: count }, (_, i) => `https://example.com/${i}`);

test.each([
  ['no recipient', { from: FROM, body: 'x', to: '' }, 21604],
  ['an invalid recipient', { from: FROM, body: 'x', to: '5551230001' }, 21211],
  ['no sender', { to: TO, body: 'x' }, 21603],
  ['an invalid sender', { to: TO, from: 'me', body: 'x' }, 21212],
  ['no text and no media', { to: TO, from: FROM }, 21602],
  ['a text that is too long', { to: TO, from: FROM, body: `${longest}a` }, 21617],
  ['too many media', { to: TO, from: FROM, mediaUrl: media(11) }, 21623],
  ['a media item that is not a URL', { to: TO, from: FROM, mediaUrl: ['a.png'] }, 21620],
  [
    'a schedule without a service',
    { to: TO, from: FROM, body: 'x', scheduleType: 'fixed' as const },
    35118,
  ],
])(
  'a message with %s is refused with Twilio’s error and is not in the ledger',
  async (_name, message, code) => {
    const { client, url } = await startSimulator();
    await expect(client.messages.create(message)).rejects.toMatchObject({
      status: 400,
      code,
      moreInfo: `https://www.twilio.com/docs/errors/${code}`,
    });
    expect(await readLedger(url)).toEqual([]);
  },
);

test('a text of the maximum length and the maximum number of media are accepted', async () => {
  const { client } = await startSimulator();
  await client.messages.create({ to: TO, from: FROM, body: longest });
  const { numMedia } = await client.messages.create({ to: TO, from: FROM, mediaUrl: media(10) });
  expect(numMedia).toBe('10');
});
