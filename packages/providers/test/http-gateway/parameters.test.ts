import { expect, test } from 'vitest';
import { createGatewayAccount } from './gateway-account.ts';
import { openGateway } from './open-gateway.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const KANNEL = {
  method: 'GET',
  url: 'http://127.0.0.1:9/cgi-bin/sendsms?username=u&to={{to_digits}}&text={{body}}',
  headers: {},
  body: null,
};

test('a template may contain the digits of the recipient alone, in place of the whole number', async () => {
  const send = await openGateway();
  const url = await send(KANNEL);
  expect(url.received?.path).toBe('/cgi-bin/sendsms?username=u&to=447700900123&text=Hello');
  const json = await send({ body: '{"to":"00{{to_digits}}","text":"{{body}}"}' });
  expect(json.received?.body).toBe('{"to":"00447700900123","text":"Hello"}');
  const code = await send(KANNEL, { to: '85501' });
  expect(code.received?.path).toContain('&to=85501&');
});

test.each([
  ['Hello', 'GSM-7'],
  ['Straße 5, 10 € [é] ^', 'GSM-7'],
  ['Привет', 'other'],
  ['10 ₽', 'other'],
  ['“Hello”', 'other'],
  ['👍', 'other'],
])('the parameters for other texts are added to %j, which is %s', async (body, kind) => {
  const send = await openGateway();
  const added = { coding: 2, charset: 'UTF-8' };
  const query = await send({ ...KANNEL, unless_gsm7: added }, { body });
  const url = new URL(query.received?.path ?? '', 'http://x.example');
  const expected = kind === 'GSM-7' ? [null, null] : ['2', 'UTF-8'];
  const read = (fields: URLSearchParams) => [fields.get('coding'), fields.get('charset')];
  expect(read(url.searchParams)).toEqual(expected);
  expect(url.searchParams.get('text')).toBe(body);

  const template = { headers: FORM, body: 'to={{to}}&text={{body}}', unless_gsm7: added };
  const form = new URLSearchParams((await send(template, { body })).received?.body);
  expect(read(form)).toEqual(expected);
  expect(form.get('text')).toBe(body);

  const object = { headers: JSON_TYPE, body: '{"to":"{{to}}","text":"{{body}}"}' };
  const json = await send({ ...object, unless_gsm7: added }, { body });
  expect(JSON.parse(json.received?.body ?? '')).toEqual({
    to: '+447700900123',
    text: body,
    ...(kind === 'other' && added),
  });
});

test('a parameter for other texts replaces one of the same name in the template', async () => {
  const send = await openGateway();
  const url = `${KANNEL.url}&coding=0&mclass=1`;
  const query = await send({ ...KANNEL, url, unless_gsm7: 'coding=2' }, { body: 'ы' });
  expect(query.received?.path).toMatch(/&mclass=1&coding=2$/);
  expect(query.received?.path).not.toContain('coding=0');
  const body = '{"to":"{{to}}","text":"{{body}}","type":"plain"}';
  const json = await send(
    { headers: JSON_TYPE, body, unless_gsm7: { type: 'unicode', data_coding: 8, flash: false } },
    { body: 'ы' },
  );
  expect(json.received?.body).toBe(
    '{"to":"+447700900123","text":"\\u044b","type":"unicode","data_coding":8,"flash":false}',
  );
});

test('a plain text gets the parameters for other texts in its query', async () => {
  const send = await openGateway();
  const { received } = await send(
    {
      url: 'http://127.0.0.1:9/send/{{to}}',
      headers: { 'Content-Type': 'text/plain' },
      body: '{{body}}',
      unless_gsm7: { unicode: 1 },
    },
    { body: 'ы' },
  );
  expect(received?.path).toBe('/send/%2B447700900123?unicode=1');
});

test.each<[parameter: string, unless: unknown]>([
  ['send.unless_gsm7', {}],
  ['send.unless_gsm7', ['coding']],
  ['send.unless_gsm7', { 'a b': 1 }],
  ['send.unless_gsm7.coding', { coding: null }],
  ['send.unless_gsm7.coding', { coding: { value: 2 } }],
  ['send.unless_gsm7.coding', { coding: '{{body}}' }],
  ['send.unless_gsm7.coding', { coding: 'ы' }],
])('`%s` with the value %j is refused, and the error names it', (parameter, unless) => {
  const send = { ...KANNEL, unless_gsm7: unless };
  expect(() => createGatewayAccount({ send })).toThrow(`\`${parameter}\` must`);
});

test.each(['["{{to}}","{{body}}"]', '{"to":"{{to}}","text":"{{body}}","device":9007199254740993}'])(
  'parameters for other texts cannot be added to the body %s, which is refused when it is saved',
  (body) => {
    const send = { ...KANNEL, method: 'POST', headers: JSON_TYPE, body };
    expect(() => createGatewayAccount({ send })).not.toThrow();
    expect(() => createGatewayAccount({ send: { ...send, unless_gsm7: { coding: 2 } } })).toThrow(
      '`send.body` must',
    );
  },
);
