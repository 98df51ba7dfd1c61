import { expect, test } from 'vitest';
import { readInbound } from '../../src/http-gateway/read-webhook.ts';
import { signGatewayBody } from '@switchboard/testing/webhooks';
import { createGatewayAccount } from './gateway-account.ts';
import { openGateway } from './open-gateway.ts';

const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'Grüße, 10 € 👍';

test.each(['application/json', 'application/vnd.sms+json'])(
  'a body of the type %s is ASCII and names its charset, because some servers read JSON as ISO-8859-1',
  async (type) => {
    const send = await openGateway();
    const body = '{"title":"Überschrift","to":"{{to}}","text":"{{body}}"}';
    const { received } = await send({ headers: { 'Content-Type': type }, body }, { body: TEXT });
    expect(received?.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(received?.body).toMatch(/^[\x20-\x7e]*$/);
    expect(received?.body).toContain('Gr\\u00fc\\u00dfe, 10 \\u20ac \\ud83d\\udc4d');
    const sent = { title: 'Überschrift', to: '+447700900123', text: TEXT };
    expect(JSON.parse(received?.body ?? '')).toEqual(sent);
  },
);

test.each([
  ['ISO-8859-1', 'Grüße', 'text=Gr%FC%DFe&to='],
  ['"windows-1252"', '10 €', 'text=10+%80&to='],
  ['iso-8859-15', '10 €', 'text=10+%A4&to='],
  ['windows-1251', 'Привет', 'text=%CF%F0%E8%E2%E5%F2&to='],
  ['GBK', '你好', 'text=%C4%E3%BA%C3&to='],
  ['shift_jis', 'こんにちは', 'text=%82%B1%82%F1%82%C9%82%BF%82%CD&to='],
  ['utf-8', 'Grüße', 'text=Gr%C3%BC%C3%9Fe&to='],
])('a form is encoded in the charset %s of its template', async (charset, text, start) => {
  const send = await openGateway();
  const headers = { 'Content-Type': `${FORM}; charset=${charset}` };
  const { received } = await send(
    { headers, body: 'text={{body}}&to={{to_digits}}' },
    { body: text },
  );
  expect(received?.body).toBe(`${start}447700900123`);
  expect(received?.headers.get('content-type')).toBe(headers['Content-Type']);
});

test('a form without a charset is encoded in UTF-8, and its type stays as it is', async () => {
  const send = await openGateway();
  const { received } = await send(
    { headers: { 'Content-Type': FORM }, body: 'to={{to}}&text={{body}}' },
    { body: 'ü' },
  );
  expect(received?.body).toBe('to=%2B447700900123&text=%C3%BC');
  expect(received?.headers.get('content-type')).toBe(FORM);
});

test('the words of a template itself are encoded in its charset', async () => {
  const send = await openGateway();
  const { received } = await send({
    headers: { 'Content-Type': `${FORM}; charset=iso-8859-1` },
    body: 'to={{to_digits}}&text=Größe:%20{{body}}',
  });
  expect(received?.body).toBe('to=447700900123&text=Gr%F6%DFe:%20Hello');
});

test('a text is written in the bytes of its charset', async () => {
  const send = await openGateway();
  const url = 'http://127.0.0.1:9/?to={{to}}';
  const latin1 = await send(
    { url, headers: { 'Content-Type': 'text/plain; charset=iso-8859-1' }, body: '{{body}}' },
    { body: 'Grüße' },
  );
  expect(latin1.received?.body).toBe('Grüße');
  const unnamed = await send(
    { url, headers: { 'Content-Type': 'text/plain' }, body: '{{body}}' },
    { body: 'Grüße' },
  );
  expect(Buffer.from(unnamed.received?.body ?? '', 'latin1').toString()).toBe('Grüße');
  expect(unnamed.received?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

// https://github.com/civicrm/civicrm-core/pull/2253
test('the charset of a request without a body applies to its URL', async () => {
  const send = await openGateway();
  const { received } = await send(
    {
      method: 'GET',
      url: 'http://127.0.0.1:9/sendmsg?to={{to_digits}}&text={{body}}',
      headers: { 'Content-Type': 'text/plain; charset=iso-8859-1' },
      body: null,
    },
    { body: 'Grüße & more' },
  );
  expect(received?.path).toBe('/sendmsg?to=447700900123&text=Gr%FC%DFe%20%26%20more');
});

test('a message with a character that the charset of the gateway lacks is left to another account, and nothing is sent', async () => {
  const send = await openGateway();
  for (const type of [FORM, 'text/plain']) {
    const headers = { 'Content-Type': `${type}; charset=iso-8859-1` };
    const { outcome, received } = await send(
      { url: 'http://127.0.0.1:9/?to={{to}}', headers, body: 'text={{body}}' },
      { body: '10 €' },
    );
    expect(outcome).toMatchObject({ code: 'text_not_in_charset', isAccountOnly: true });
    expect(received).toBeUndefined();
  }
});

test.each(['utf-7', 'utf-16', 'UTF-16BE', 'hex', 'none', 'iso-2022-jp', '{{body}}'])(
  'a template with the charset %s is refused when it is saved',
  (charset) => {
    for (const type of [FORM, 'application/json', 'text/plain']) {
      const headers = { 'Content-Type': `${type}; charset=${charset}` };
      const body = '{"to":"{{to}}","text":"{{body}}"}';
      const send = { method: 'POST', url: 'http://127.0.0.1:9/', headers, body };
      expect(() => createGatewayAccount({ send })).toThrow('`send.headers.content-type` must');
    }
  },
);

test('a template with a character that its own charset lacks is refused when it is saved', () => {
  const headers = { 'Content-Type': `${FORM}; charset=iso-8859-1` };
  const body = 'to={{to}}&text={{body}}&currency=€';
  const send = { method: 'POST', url: 'http://127.0.0.1:9/', headers, body };
  expect(() => createGatewayAccount({ send })).toThrow(
    '`send.body` must contain only characters of the charset iso-8859-1',
  );
});

const inbound = (type: string, body: string) => {
  const account = createGatewayAccount();
  const signed = signGatewayBody(account, Buffer.from(body, 'latin1'));
  return readInbound(account, { ...signed, headers: { ...signed.headers, 'content-type': type } });
};

const ADDRESSES = 'id=1&from=%2B447700900123&to=%2B15557654321';

test.each([
  ['ISO-8859-1', 'Gr%FC%DFe', 'Grüße'],
  ['iso-8859-1', 'Gr\xFC\xDFe', 'Grüße'],
  ['"windows-1252"', '10+%80', '10 €'],
  ['cp1251', '%CF%F0%E8%E2%E5%F2', 'Привет'],
  ['windows-1256', '%E3%D1%CD%C8%C7', 'مرحبا'],
  ['gb2312', '%C4%E3%BA%C3', '你好'],
  ['utf-8', 'Gr%C3%BC%C3%9Fe+%F0%9F%91%8D', 'Grüße 👍'],
])('a signed form in %s with the text %s is read as %s', (charset, encoded, text) => {
  const outcome = inbound(`${FORM};charset=${charset}`, `${ADDRESSES}&text=${encoded}`);
  expect(outcome).toMatchObject({ kind: 'read', content: { sid: '1', body: text } });
});

test('signed JSON is read in its charset, and the signature covers the received bytes', () => {
  const json = (text: string) =>
    JSON.stringify({ id: 1, from: '+447700900123', to: '85501', text });
  expect(inbound('application/json; charset=iso-8859-1', json('Gr\xFC\xDFe'))).toMatchObject({
    content: { body: 'Grüße' },
  });
  const utf16 = Buffer.from(`\uFEFF${json('Grüße')}`, 'utf16le').toString('latin1');
  expect(inbound('application/json', utf16)).toMatchObject({ content: { body: 'Grüße' } });
  // Bytes that are not valid in the charset do not change what was signed.
  expect(inbound('application/json', json('Gr\xFC'))).toMatchObject({
    content: { body: 'Gr\uFFFD' },
  });
});

test('a webhook in an unknown charset is refused, and the error names the charset', () => {
  expect(inbound(`${FORM}; charset=utf-7`, `${ADDRESSES}&text=+APw-`)).toMatchObject({
    kind: 'invalid',
    error: { code: 'invalid_params', message: expect.stringContaining('utf-7') },
  });
});
