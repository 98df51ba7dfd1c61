import { EVENTUALLY } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { FROM, makeDataDir, openSimulator, startSimulator } from './start-simulator.ts';
import { startJsonReceiver, startVendors } from './start-vendors.ts';
import { startReceiver } from './start-receiver.ts';

const PHONE = '+15558675310';
const OTHER = '+15558675311';

interface StreamEvent {
  event: string;
  data: unknown;
}

/** Reads the server-sent events of these phones until the test ends. */
async function openEvents(url: string, ...numbers: string[]) {
  const query = numbers.map((number) => `number=${encodeURIComponent(number)}`).join('&');
  const aborting = new AbortController();
  const { signal } = aborting;
  const response = await fetch(`${url}/simulator/events?${query}`, { signal });
  const events: StreamEvent[] = [];
  async function read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== undefined) events.push({ event, data: JSON.parse(data ?? '') });
      }
    }
  }
  // The end of the simulator or of the test also ends the stream.
  read().catch(() => undefined);
  const close = () => aborting.abort();
  onTestFinished(close);
  return { status: response.status, events, close };
}

const put = (url: string, number: string, body: unknown) =>
  fetch(`${url}/simulator/phones/${encodeURIComponent(number)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const read = async (url: string, path: string) =>
  (await (await fetch(`${url}/simulator/${path}`)).json()) as Record<string, unknown>;

test('the stream of a phone starts with its messages and then has each change of its own messages only', async () => {
  const { url, client } = await startSimulator();
  await client.messages.create({ to: PHONE, from: FROM, body: 'Before' });
  const stream = await openEvents(url, PHONE);
  expect(stream.status).toBe(200);
  await client.messages.create({ to: OTHER, from: FROM, body: 'For another phone' });
  const { sid } = await client.messages.create({ to: PHONE, from: FROM, body: '5 € 🎈' });
  const last = () => stream.events.at(-1)?.data;
  await expect.poll(last, EVENTUALLY).toMatchObject({ sid, status: 'delivered' });
  expect(stream.events[0]).toMatchObject({ event: 'messages', data: [{ body: 'Before' }] });
  const recipients = stream.events.flatMap(({ data }) => data as { to: string } | { to: string }[]);
  expect(new Set(recipients.map(({ to }) => to))).toEqual(new Set([PHONE]));
  const own = stream.events.filter(({ data }) => (data as { sid?: string }).sid === sid);
  expect(own.map(({ data }) => (data as { status: string }).status)).toEqual([
    'queued',
    'sending',
    'sent',
    'delivered',
  ]);
  expect(last()).toMatchObject({ encoding: 'UCS-2', segments: 1, provider: 'twilio', to: PHONE });

  await fetch(`${url}/simulator/ledger`, { method: 'DELETE' });
  await expect
    .poll(() => stream.events.at(-1), EVENTUALLY)
    .toEqual({ event: 'messages', data: [] });
});

test('a stream starts with the newest 200 messages of each phone', async () => {
  const { url, client } = await startSimulator();
  for (let nth = 1; nth <= 205; nth += 1) {
    await client.messages.create({ to: PHONE, from: FROM, body: `Text ${nth}` });
  }
  const { events } = await openEvents(url, PHONE, OTHER);
  await expect.poll(() => events.length, EVENTUALLY).toBeGreaterThan(0);
  const history = events[0]?.data as { body: string }[];
  expect([history.length, history[0]?.body, history.at(-1)?.body]).toEqual([
    200,
    'Text 6',
    'Text 205',
  ]);
});

test('streams are refused without a valid number, with more than 8 numbers, and above 50 open ones until one ends', async () => {
  const { url } = await openSimulator(await makeDataDir());
  for (const numbers of [
    [],
    ['12'],
    [PHONE, 'x'],
    Array.from({ length: 9 }, (_n, i) => `+1415555010${i}`),
  ]) {
    expect((await openEvents(url, ...numbers)).status).toBe(400);
  }
  const open = [];
  for (let nth = 0; nth < 50; nth += 1) open.push(await openEvents(url, PHONE));
  expect(open.every(({ status }) => status === 200)).toBe(true);
  expect((await openEvents(url, PHONE)).status).toBe(503);
  open[0]?.close();
  await expect.poll(async () => (await openEvents(url, PHONE)).status, EVENTUALLY).toBe(200);
});

test('the treatment of a phone holds for later texts, at every provider, across restarts and until the ledger is deleted', async () => {
  const vendors = await startVendors();
  const { url, dataDir } = vendors;
  const answer = await put(url, PHONE, { treatment: 'undelivered', error_code: 30005 });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { number: PHONE, treatment: 'undelivered', error_code: 30005 },
  ]);
  const stream = await openEvents(url, PHONE);
  const { client } = await vendors.createTelnyx();
  await client.messages.send({ to: PHONE, from: FROM, text: 'Hello' });
  await expect
    .poll(() => stream.events.at(-1)?.data, EVENTUALLY)
    .toMatchObject({ provider: 'telnyx', status: 'undelivered', error_code: 30005 });

  await vendors.close();
  const again = await openSimulator(dataDir);
  expect(await read(again.url, `phones/${PHONE}`)).toMatchObject({ error_code: 30005 });
  await fetch(`${again.url}/simulator/ledger`, { method: 'DELETE' });
  expect(await read(again.url, `phones/${PHONE}`)).toMatchObject({ treatment: 'delivered' });
});

test('a lost receipt is reported by no callback, but a lookup shows that the text was delivered', async () => {
  const { url, client } = await startSimulator();
  const receiver = await startReceiver();
  await put(url, PHONE, { treatment: 'receipt_lost' });
  const text = { to: PHONE, from: FROM, body: 'Hi', statusCallback: receiver.url };
  const { sid } = await client.messages.create(text);
  const statusOf = async () => (await client.messages(sid).fetch()).status;
  await expect.poll(statusOf, EVENTUALLY).toBe('delivered');
  // The callbacks of a later message come after those of the first.
  await client.messages.create({ ...text, to: OTHER });
  await receiver.waitFor(3);
  expect(receiver.statuses().filter((status) => status === 'delivered')).toHaveLength(1);
});

test.each([
  ['treatment', { treatment: 'lost' }],
  ['treatment', {}],
  ['error_code', { treatment: 'undelivered', error_code: 12 }],
  ['error_code', { treatment: 'slow', error_code: 30003 }],
  ['number', { treatment: 'slow' }, '555'],
])(
  'a treatment with a wrong %s is refused with 400, which names it',
  async (name, body, number = PHONE) => {
    const { url } = await openSimulator(await makeDataDir());
    const answer = await put(url, number, body);
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      400,
      expect.stringContaining(`\`${name}\``),
    ]);
  },
);

test('a picture of at most 1 MB is stored for inbound messages, and any other body is refused', async () => {
  const { url } = await openSimulator(await makeDataDir());
  const upload = async (type: string, size: number) => {
    const body = Buffer.alloc(size, 'x');
    const headers = { 'content-type': type };
    const answer = await fetch(`${url}/simulator/media`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as { url: string } };
  };
  const stored = await upload('image/png', 1_000_000);
  expect(stored).toMatchObject({ status: 201, body: { url: expect.stringContaining(url) } });
  const served = await fetch(stored.body.url);
  expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await served.arrayBuffer()).byteLength).toBe(1_000_000);
  for (const [type, size] of [
    ['image/png', 1_000_001],
    ['image/png', 0],
    ['image/svg+xml', 10],
    ['text/html', 10],
  ] as const) {
    expect([type, size, (await upload(type, size)).status]).toEqual([type, size, 400]);
  }
});

test('pictures are refused at providers that carry none to the service, and more than one at Vonage', async () => {
  const { url, control, createAccount } = await startVendors();
  const { url: inboundUrl } = await startJsonReceiver();
  const limits = { telnyx: 10, vonage: 1, smpp: 0, http: 0 } as const;
  for (const [index, type] of (['telnyx', 'vonage', 'smpp', 'http'] as const).entries()) {
    const number = `+1415555060${index}`;
    await createAccount(type, { number, inbound_url: inboundUrl });
    const media_urls = Array.from(
      { length: limits[type] + 1 },
      () => `${url}/simulator/media/a.png`,
    );
    const message = { to: number, from: PHONE, body: 'Hi', media_urls };
    const answer = await control('POST', 'inbound', message);
    expect([type, answer.status]).toEqual([type, 400]);
    expect(answer.body['detail']).toContain('`media_urls`');
  }
  expect(await read(url, 'numbers')).toMatchObject(
    Object.entries(limits).map(([provider, max_pictures]) => ({ provider, max_pictures })),
  );
});

test('each HTTP port leads to the page of phones, whose policy allows only its own scripts', async () => {
  const { url, providerUrls } = await openSimulator(await makeDataDir());
  const urls = providerUrls();
  for (const port of [url, urls.twilio, urls.telnyx, urls.vonage, urls.http]) {
    const page = await fetch(`${port}/`);
    expect([port, page.status, page.url]).toEqual([port, 200, `${url}/`]);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).toContain('<h1>Phones</h1>');
  }
  expect((await fetch(`${url}/assets/..%2Findex.html`)).status).toBe(404);
});
