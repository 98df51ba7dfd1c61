import { expect, test } from 'vitest';
import { respond } from '../fault-server.ts';
import { TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';
import { ROOT, adapter, server, useTwilioEnvironment } from './environment.ts';

useTwilioEnvironment();

const LIST = `${ROOT}/IncomingPhoneNumbers.json`;
const URL_HERE = 'https://sb.example/webhooks/one#rc=5&rp=all';

const read = () => adapter.listNumbers?.(ACCOUNT, URL_HERE);

test('the numbers of a Twilio account are listed over all pages, with the capabilities of each number and the destination of its messages', async () => {
  const application = `AP${'a'.repeat(32)}`;
  const sms = { SMS: true, MMS: false, voice: true };
  const pages = [
    [
      { phone_number: '+14155550101', friendly_name: '(415) 555-0101', sms_url: URL_HERE },
      { phone_number: '+18005550102', friendly_name: 'Support', sms_url: '', capabilities: sms },
    ],
    [
      { phone_number: '+14155550103', sms_url: 'https://other.example/hook?token=1' },
      { phone_number: '+14155550104', sms_url: URL_HERE, sms_application_sid: application },
      { phone_number: 'AGENT-NAME', sms_url: '' },
    ],
  ];
  server.onRequest = (received) => {
    const page = received.path.includes('Page=1') ? 1 : 0;
    const next_page_uri = page === 0 ? `${LIST}?Page=1` : null;
    const capabilities = { sms: true, mms: true };
    const found = (pages[page] ?? []).map((each) => ({ capabilities, ...each }));
    respond(received, 200, { incoming_phone_numbers: found, next_page_uri, uri: LIST });
  };
  const both = { kind: 'long_code', label: '', capabilities: ['sms', 'mms'] };
  const elsewhere = 'https://other.example/hook?token=1';
  expect(await read()).toEqual({
    kind: 'read',
    isComplete: true,
    numbers: [
      { number: '+14155550101', ...both, inbound: 'here', inboundUrl: null },
      {
        number: '+18005550102',
        kind: 'toll_free',
        label: 'Support',
        capabilities: ['sms'],
        inbound: 'nowhere',
        inboundUrl: null,
      },
      { number: '+14155550103', ...both, inbound: 'elsewhere', inboundUrl: elsewhere },
      { number: '+14155550104', ...both, inbound: 'elsewhere', inboundUrl: null },
    ],
  });
});

test('the list of a Twilio account with too many numbers ends at the limit and is marked as incomplete', async () => {
  let page = 0;
  server.onRequest = (received) => {
    page += 1;
    const found = Array.from({ length: 1_000 }, (_, n) => ({
      phone_number: `+1415${String(5_000_000 + page * 1_000 + n)}`,
    }));
    const next_page_uri = `${LIST}?Page=${page}`;
    respond(received, 200, { incoming_phone_numbers: found, next_page_uri, uri: LIST });
  };
  const listed = await read();
  expect(listed).toMatchObject({ kind: 'read', isComplete: false });
  expect(listed?.kind === 'read' && listed.numbers).toHaveLength(5_000);
  expect(page).toBe(6);
});

test('if Twilio refuses to list the numbers or does not respond, the result has the reason', async () => {
  server.onRequest = (received) =>
    respond(received, 401, { code: 20003, message: 'Authenticate', status: 401 });
  expect(await read()).toEqual({
    kind: 'refused',
    detail: 'Twilio refused to list the numbers: Authenticate',
  });
  server.onRequest = (received) => respond(received, 500, '');
  expect(await read()).toMatchObject({ kind: 'unavailable' });
});
