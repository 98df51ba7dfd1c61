import { createTelnyxAccount } from '@switchboard/testing/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTelnyxAdapter } from '../../src/telnyx/telnyx-adapter.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';

const URL_HERE = 'https://x.example/api/webhooks/telnyx/p/inbound';
const account = createTelnyxAccount('KEY01');
const features = { sms: { domestic_two_way: true }, mms: null };

let server: FaultServer;
let adapter: ReturnType<typeof createTelnyxAdapter>;

beforeEach(async () => {
  server = await startFaultServer((received) => respond(received, 500, ''));
  adapter = createTelnyxAdapter({ apiUrl: server.url, callTimeoutMs: 15_000 });
});
afterEach(async () => {
  await adapter.close();
  await server.close();
});

/** Answers lists page by page, as Telnyx does. */
function serve(lists: Record<string, object[][]>): void {
  server.onRequest = (received) => {
    const url = new URL(received.path, server.url);
    const number = Number(url.searchParams.get('page[number]'));
    const pages = lists[url.pathname] ?? [];
    const meta = { total_pages: pages.length, page_number: number };
    respond(received, 200, { data: pages[number - 1] ?? [], meta });
  };
}

const read = () => adapter.listNumbers?.(account, URL_HERE);

test('the numbers of a Telnyx account are listed over all pages, with the webhook of the profile of each', async () => {
  serve({
    '/v2/messaging_profiles': [
      [{ id: 'ours', webhook_url: URL_HERE, webhook_api_version: '2' }],
      [
        { id: 'old', webhook_url: URL_HERE, webhook_api_version: '1' },
        { id: 'other', webhook_url: 'https://other.example/hook', webhook_api_version: '2' },
      ],
    ],
    '/v2/phone_numbers/messaging': [
      [
        { phone_number: '+14155550101', messaging_profile_id: 'ours', type: 'longcode', features },
        { phone_number: '+18005550102', messaging_profile_id: 'old', type: 'tollfree' },
      ],
      [
        { phone_number: '+14155550103', messaging_profile_id: 'other', features, tags: ['Shop'] },
        { phone_number: '+14155550104', messaging_profile_id: null, features },
        { phone_number: '12345', messaging_profile_id: 'ours', type: 'shortcode' },
      ],
    ],
  });
  const long = { kind: 'long_code', label: '', capabilities: ['sms'] };
  const nowhere = { inbound: 'nowhere', inboundUrl: null };
  const elsewhere = { inbound: 'elsewhere', inboundUrl: 'https://other.example/hook' };
  expect(await read()).toEqual({
    kind: 'read',
    isComplete: true,
    numbers: [
      { number: '+14155550101', ...long, inbound: 'here', inboundUrl: null },
      { number: '+18005550102', kind: 'toll_free', label: '', capabilities: [], ...nowhere },
      { number: '+14155550103', ...long, label: 'Shop', ...elsewhere },
      { number: '+14155550104', ...long, ...nowhere },
    ],
  });
});

test('the list of a Telnyx account with too many numbers ends at the limit and is marked as incomplete', async () => {
  const page = Array.from({ length: 250 }, (_, n) => ({ phone_number: `+1415555${1_000 + n}` }));
  serve({
    '/v2/messaging_profiles': [[]],
    '/v2/phone_numbers/messaging': Array.from({ length: 30 }, () => page),
  });
  const listed = await read();
  expect(listed).toMatchObject({ kind: 'read', isComplete: false });
  expect(listed?.kind === 'read' && listed.numbers).toHaveLength(5_000);
});

test('if Telnyx refuses to list the numbers or does not respond, the result has the reason', async () => {
  expect(await read()).toMatchObject({ kind: 'unavailable' });
  server.onRequest = (received) =>
    respond(received, 401, { errors: [{ code: '10009', title: 'Authentication failed' }] });
  expect(await read()).toEqual({
    kind: 'refused',
    detail: 'Telnyx refused to list the numbers: Authentication failed',
  });
  server.onRequest = (received) => respond(received, 200, { message: 'welcome' });
  expect(await read()).toMatchObject({ kind: 'unavailable' });
});
