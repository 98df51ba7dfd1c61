import {
  EVENTUALLY,
  startSimulator,
  startWorker,
  type ChildProcess,
  type WorkspaceFixture,
} from '@switchboard/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { callBack } from './call-back.ts';
import { type ApiResponse, type Service, ask, startService } from './start-service.ts';

interface SeenMessage {
  direction: string;
  to: string;
  from: string;
  body: string;
  status: string;
  error_code: string | null;
}

let simulator: ChildProcess;
let service: Service;
let worker: ChildProcess;
let workspace: WorkspaceFixture;
let added: ApiResponse;

beforeAll(async () => {
  simulator = await startSimulator();
  service = await startService({
    // On a busy machine, the tests poll more often than the default limit allows.
    env: { TWILIO_API_URL: simulator.url, SWEEP_MS: '200', RATE_LIMIT_MESSAGING: '100000' },
  });
  worker = await startWorker({
    DATABASE_URL: service.database.url,
    TWILIO_API_URL: simulator.url,
    PUBLIC_URL: service.url,
    SWEEP_MS: '200',
  });
  workspace = await service.addWorkspace({ from: null });
  added = await ask(service.url, '/api/numbers', {
    token: workspace.apiKey,
    json: { number: OURS },
  });
});

afterAll(async () => {
  await worker.stop();
  await service.close();
  await simulator.stop();
});

const OURS = '+15005550006';

async function receive(from: string, body: string, media_urls?: string[]): Promise<void> {
  const response = await ask(simulator.url, '/simulator/inbound', {
    json: { to: OURS, from, body, ...(media_urls && { media_urls }) },
  });
  expect(response.status, response.text).toBe(200);
  expect(response.json).toMatchObject({ status: 200 });
}

async function historyOf(number: string): Promise<SeenMessage[]> {
  const query = (name: string) => `/api/messages?${name}=${encodeURIComponent(number)}`;
  const [received, sent] = await Promise.all(
    ['from', 'to'].map((name) => ask(service.url, query(name), { token: workspace.apiKey })),
  );
  return [received, sent].flatMap((page) => {
    expect(page?.status, page?.text).toBe(200);
    return page?.json?.['messages'] as SeenMessage[];
  });
}

const send = (to: string, more: object = {}) =>
  ask(service.url, '/api/messages', {
    token: workspace.apiKey,
    json: { to, body: 'Hello', ...more },
  });

const isOptedOut = async (number: string): Promise<boolean> => {
  const path = `/api/ui/workspaces/${workspace.workspaceId}/opt-outs`;
  const response = await ask(service.url, path, { token: workspace.sessionToken });
  expect(response.status, response.text).toBe(200);
  const optOuts = response.json?.['data'] as { number: string }[] | undefined;
  return optOuts?.some((entry) => entry.number === number) === true;
};

test('adding a number configures it to deliver inbound messages', () => {
  expect(added.json).toMatchObject({ inbound_wired: true });
});

test('a received message appears in the history with its text and media', async () => {
  await receive('+15557000001', 'Grüße 👋', ['https://example.com/cat.jpg']);
  const [message] = await historyOf('+15557000001');
  expect(message).toMatchObject({
    direction: 'inbound',
    from: '+15557000001',
    to: OURS,
    body: 'Grüße 👋',
    status: 'received',
    media: [{ url: 'https://example.com/cat.jpg' }],
  });
});

describe('keywords', () => {
  const number = '+15557000002';

  test('STOP blocks sends immediately and is confirmed by one reply, which the opt-out does not block', async () => {
    await receive(number, ' stop ');
    expect(await isOptedOut(number)).toBe(true);
    expect((await send(number)).json).toMatchObject({ error: 'recipient_opted_out' });
    await vi.waitFor(async () => {
      const confirmation = (await historyOf(number)).find((m) => m.direction === 'outbound');
      expect(confirmation).toMatchObject({ from: OURS, to: number, status: 'delivered' });
      expect(confirmation?.body).toMatch(/START/);
    }, EVENTUALLY);
    await receive(number, 'STOPALL');
    const replies = (await historyOf(number)).filter((m) => m.direction === 'outbound');
    expect(replies).toHaveLength(1);
  });

  test('START removes the opt-out and is confirmed', async () => {
    await receive(number, 'Start');
    expect(await isOptedOut(number)).toBe(false);
    expect((await send(number)).status).toBe(201);
    const replies = (await historyOf(number)).filter((m) => m.direction === 'outbound');
    expect(replies.some((m) => /subscribed again/.test(m.body))).toBe(true);
  });

  test('a message that is accepted before a STOP is not sent after it, and its timeline blames no provider', async () => {
    const late = '+15557000003';
    const scheduled_at = new Date(Date.now() + 12_000).toISOString();
    const accepted = await send(late, { scheduled_at });
    expect(accepted.status).toBe(201);
    await receive(late, 'STOP');
    await vi.waitFor(
      async () => {
        const message = (await historyOf(late)).find((m) => m.body === 'Hello');
        expect(message).toMatchObject({ status: 'failed', error_code: 'recipient_opted_out' });
      },
      { timeout: 60_000, interval: 100 },
    );
    const found = await ask(service.url, `/api/messages/${String(accepted.json?.['id'])}`, {
      token: workspace.apiKey,
    });
    expect(found.status, found.text).toBe(200);
    const events = found.json?.['events'] as { type: string; status: string; detail: string }[];
    expect(events.map(({ type }) => type)).not.toContain('provider_rejected');
    expect(events.at(-1)).toMatchObject({
      type: 'status_changed',
      status: 'failed',
      detail: 'The recipient opted out before the message was sent',
    });
    const ledger = await ask(simulator.url, '/simulator/ledger');
    expect(ledger.status, ledger.text).toBe(200);
    expect(ledger.text).not.toMatch(new RegExp(`"to":"\\${late}".*"body":"Hello"`));
  });
});

test('HELP is answered with the workspace’s text, at most once an hour for each number', async () => {
  const path = `/api/ui/workspaces/${workspace.workspaceId}/keyword-replies`;
  const changed = await ask(service.url, path, {
    method: 'PATCH',
    token: workspace.sessionToken,
    json: { help: 'Call 555 0100.' },
  });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.json).toMatchObject({ opt_out: null, opt_in: null, help: 'Call 555 0100.' });
  const repliesTo = async (number: string) =>
    (await historyOf(number)).filter((m) => m.direction === 'outbound').map((m) => m.body);
  for (let n = 0; n < 5; n += 1) {
    await Promise.all(['help', 'INFO'].map((word) => receive('+15557000004', word)));
  }
  expect(await repliesTo('+15557000004')).toEqual(['Call 555 0100.']);
  await receive('+15557000005', 'help');
  expect(await repliesTo('+15557000005')).toEqual(['Call 555 0100.']);

  await service.sql(`UPDATE sent_keyword_replies SET replied_at = now() - interval '61 minutes'`);
  await receive('+15557000004', 'help');
  expect(await repliesTo('+15557000004')).toHaveLength(2);
});

describe('opt-outs reported by the provider', () => {
  test.each([
    ['in the response to a send', '+15005550004'],
    ['in a status callback', '+15005550016'],
  ])('the provider’s error 21610 %s adds an opt-out for the number', async (_how, number) => {
    expect((await send(number)).status).toBe(201);
    await vi.waitFor(async () => expect(await isOptedOut(number)).toBe(true), EVENTUALLY);
    expect((await send(number)).json).toMatchObject({ error: 'recipient_opted_out' });
  });

  test('a repeated callback with error 21610 does not restore an opt-out that START has removed', async () => {
    // The simulator sends no callback after `sent` for this number.
    const number = '+15005550014';
    const id = String((await send(number)).json?.['id']);
    let MessageSid = '';
    await vi.waitFor(async () => {
      const path = `/api/messages/${id}`;
      const { json } = await ask(service.url, path, { token: workspace.apiKey });
      expect(json).toMatchObject({ status: 'sent' });
      MessageSid = String(json?.['provider_sid']);
    }, EVENTUALLY);
    const fields = { MessageSid, ErrorCode: '21610' };
    const sendStatus = (MessageStatus: string) =>
      callBack(service.url, workspace, { ...fields, MessageStatus }, { message: id });
    expect((await sendStatus('failed')).status).toBe(200);
    expect(await isOptedOut(number)).toBe(true);
    await receive(number, 'START');
    for (const status of ['failed', 'undelivered']) {
      expect((await sendStatus(status)).status).toBe(200);
      expect(await isOptedOut(number)).toBe(false);
    }
  });
});
