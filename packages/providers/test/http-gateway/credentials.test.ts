import type { ProviderAccount } from '@switchboard/core';
import { expect, test } from 'vitest';
import { completeCredentials } from '../../src/http-gateway/complete-credentials.ts';
import { openConfig } from '../../src/http-gateway/config.ts';
import { describeCredentials } from '../../src/http-gateway/describe-credentials.ts';
import { readCredentials } from '../../src/http-gateway/read-credentials.ts';
import { AUTHORIZATION, DESCRIPTION, SECRET } from './gateway-account.ts';

const { send, inbound_webhook: inbound } = DESCRIPTION;

function problemOf(changes: object): { code?: string; message?: string } {
  try {
    readCredentials({ ...DESCRIPTION, ...changes });
  } catch (error) {
    return error as { code: string; message: string };
  }
  return {};
}

test.each<[parameter: string, changes: object]>([
  ['send', { send: null }],
  ['send.url', { send: { ...send, url: '' } }],
  ['send.method', { send: { ...send, method: undefined } }],
  ['accepted', { accepted: undefined }],
  ['accepted.statuses', { accepted: { id_path: 'id' } }],
  ['refused.statuses', { refused: {} }],
  ['status_webhook.id_path', { status_webhook: { status_path: 'a', map: { A: 'sent' } } }],
  ['status_webhook.map', { status_webhook: { id_path: 'id', status_path: 'a' } }],
  ['inbound_webhook.to_path', { inbound_webhook: { from_path: 'from', body_path: 'text' } }],
  ['refused.statuses', { refused: { success_values: ['OK'] } }],
  [
    'inbound_webhook.events',
    { inbound_webhook: { ...DESCRIPTION.inbound_webhook, event_path: 'event' } },
  ],
  [
    'inbound_webhook.event_path',
    { inbound_webhook: { ...DESCRIPTION.inbound_webhook, events: ['received'] } },
  ],
  ['signing', { signing: null }],
  ['signing.header', { signing: { secret: SECRET, algorithm: 'hmac-sha256' } }],
  ['signing.secret', { signing: { header: 'X-Signature', algorithm: 'hmac-sha256' } }],
])('a description without `%s` is refused, and the error names it', (parameter, changes) => {
  expect(problemOf(changes)).toMatchObject({
    code: 'missing_params',
    message: expect.stringContaining(`\`${parameter}\``),
  });
});

const url = (text: string) => ({ send: { ...send, url: text } });
const headers = (given: unknown) => ({ send: { ...send, headers: given } });
const body = (text: unknown) => ({ send: { ...send, body: text } });

test.each<[parameter: string, what: string, changes: object]>([
  ['send', 'a text', { send: 'POST http://x.example' }],
  ['send.method', 'DELETE', { send: { ...send, method: 'DELETE' } }],
  ['send.url', 'a text that is not a URL', url('x.example/{{to}}')],
  ['send.url', 'another scheme', url('ftp://x.example/{{to}}')],
  ['send.url', 'a placeholder as the host', url('http://{{to}}/')],
  ['send.url', 'a placeholder as the port', url('http://x.example:{{to}}/')],
  ['send.url', 'a user name', url('http://user:password@x.example/')],
  ['send.url', 'a fragment', url('http://x.example/#{{to}}')],
  ['send.url', 'a space', url('http://x.example/a b')],
  ['send.url', 'an unknown placeholder', url('http://x.example/{{phone}}')],
  ['send.url', 'the text in the path', url('http://x.example/{{body}}')],
  ['send.url', 'too many characters', url(`http://x.example/${'a'.repeat(2_048)}`)],
  ['send.headers', 'a text', headers('Authorization: x')],
  ['send.headers', 'a name with a line break', headers({ 'X-A\r\nX-B': '1' })],
  ['send.headers.Host', 'the host', headers({ ...send.headers, Host: 'x.example' })],
  ['send.headers.X-A', 'a line break', headers({ ...send.headers, 'X-A': 'a\r\nX-B: 1' })],
  ['send.headers.X-A', 'a number', headers({ ...send.headers, 'X-A': 7 })],
  ['send.headers.x-a', 'the same name twice', headers({ ...send.headers, 'X-A': '1', 'x-a': '2' })],
  ['send.headers.X-A', 'an unknown placeholder', headers({ ...send.headers, 'X-A': '{{token}}' })],
  ['send.headers.content-type', 'another media type', headers({ 'Content-Type': 'text/xml' })],
  ['send.body', 'JSON with a placeholder outside strings', body('{"to":{{to}},"text":"{{body}}"}')],
  [
    'send.body',
    'an escape before a placeholder',
    body(String.raw`{"to":"{{to}}","a":"\{{body}}"}`),
  ],
  ['send.body', 'an unknown placeholder', body('{"to":"{{to}}","text":"{{text}}"}')],
  ['send.body', 'braces that do not close', body('{"to":"{{to}}","text":"{{body}}{{"}')],
  [
    'send.body',
    'too many characters',
    body(`{"to":"{{to}}","text":"{{body}}${'a'.repeat(4_096)}"}`),
  ],
  ['send.body', 'a body for a GET', { send: { ...send, method: 'GET' } }],
  ['send', 'no recipient', body('{"text":"{{body}}"}')],
  ['send', 'no text', body('{"to":"{{to}}"}')],
  ['send.unless_gsm7', 'another text', { send: { ...send, unless_gsm7: { text: 'x' } } }],
  ['send.unless_gsm7', 'another recipient', { send: { ...send, unless_gsm7: { to: '+1' } } }],
  ['accepted.statuses', 'an error status', { accepted: { statuses: [202, 500] } }],
  ['accepted.statuses', 'an empty list', { accepted: { statuses: [] } }],
  ['accepted.id_path', 'an empty name', { accepted: { statuses: [202], id_path: 'data..id' } }],
  ['accepted.id_path', 'an empty list', { accepted: { statuses: [202], id_path: [] } }],
  ['accepted.id_path', 'a list of lists', { accepted: { statuses: [202], id_path: [['id']] } }],
  [
    'accepted.id_path',
    'eleven paths',
    { accepted: { statuses: [202], id_path: Array.from({ length: 11 }, () => 'id') } },
  ],
  [
    'accepted.id_after',
    'an unknown placeholder',
    { accepted: { statuses: [202], id_after: '{{number}}:' } },
  ],
  ['refused.path', 'a number', { refused: { path: 5 } }],
  ['refused.starts_with', 'a text', { refused: { starts_with: 'ERROR' } }],
  ['refused.starts_with', 'an empty text', { refused: { starts_with: [''] } }],
  ['refused.success_values', 'a number', { refused: { path: 'a', success_values: [0] } }],
  [
    'status_webhook.code_path',
    'an empty text in a list',
    { status_webhook: { ...DESCRIPTION.status_webhook, code_path: ['a', ''] } },
  ],
  [
    'inbound_webhook.identity_paths',
    'a text',
    { inbound_webhook: { ...inbound, identity_paths: 'id' } },
  ],
  [
    'inbound_webhook.identity_paths[1]',
    'an empty name',
    { inbound_webhook: { ...inbound, identity_paths: ['id', ['a.', 'b']] } },
  ],
  ['refused.statuses', '500, which proves nothing', { refused: { statuses: [500] } }],
  ['refused.statuses', '408, which proves nothing', { refused: { statuses: [408] } }],
  [
    'status_webhook.map',
    'no words',
    { status_webhook: { ...DESCRIPTION.status_webhook, map: {} } },
  ],
  [
    'status_webhook.map.OK',
    'a status that is not ours',
    { status_webhook: { ...DESCRIPTION.status_webhook, map: { OK: 'fine' } } },
  ],
  [
    'inbound_webhook.to',
    'a text that is not a number',
    { inbound_webhook: { ...inbound, to: 'my phone' } },
  ],
  ['signing.secret', 'a short secret', { signing: { ...DESCRIPTION.signing, secret: 'short' } }],
  [
    'signing.header',
    'a text that is not a header name',
    { signing: { ...DESCRIPTION.signing, header: 'X Signature' } },
  ],
  [
    'signing.algorithm',
    'an unknown algorithm',
    { signing: { ...DESCRIPTION.signing, algorithm: 'md5' } },
  ],
])('`%s` with %s is refused, and the error names it', (parameter, _what, changes) => {
  const { code, message } = problemOf(changes);
  expect({ code, message }).toMatchObject({ code: 'invalid_params' });
  expect(message?.toLowerCase()).toContain(
    `\`${parameter.toLowerCase()}\` must`.replace(' must', ''),
  );
});

const accountOf = (input: Readonly<Record<string, unknown>>): ProviderAccount =>
  readCredentials(input).account;
const shownOf = (account: ProviderAccount) => JSON.stringify(describeCredentials(account));

test('the description of a gateway shows no secret beyond its last four characters', () => {
  const account = accountOf({
    ...DESCRIPTION,
    send: {
      ...send,
      url: 'http://127.0.0.1:9/send?user=me&password=query-secret&to={{to}}',
      body: '{"to":"{{to}}","text":"{{body}}","auth":{"token":"json-secret","pin":4711}}',
    },
  });
  expect(describeCredentials(account)).toMatchObject({
    'send.url': 'http://127.0.0.1:9/send?user=••••&password=••••&to={{to}}',
    'send.body': '{"to":"{{to}}","text":"{{body}}","auth":{"token":"••••","pin":"••••"}}',
    'send.headers.authorization_last4': AUTHORIZATION.slice(-4),
    'send.headers.content-type': 'application/json',
    'accepted.statuses': '201, 202',
    'signing.secret_last4': SECRET.slice(-4),
  });
  for (const secret of ['query-secret', 'json-secret', '4711', AUTHORIZATION, SECRET]) {
    expect(shownOf(account)).not.toContain(secret);
  }
  const form = {
    ...send,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'to={{to}}&text={{body}}&token=form-secret',
  };
  expect(shownOf(accountOf({ ...DESCRIPTION, send: form }))).not.toContain('form-secret');
});

test('a change keeps what it omits, including the secrets and the id of the account', () => {
  const account = accountOf(DESCRIPTION);
  const change = {
    send: {
      url: 'http://127.0.0.1:9/other',
      headers: { Authorization: null, 'Content-Type': 'application/json' },
    },
    signing: { header: 'X-Other' },
    inbound_webhook: null,
  };
  const changed = readCredentials(
    completeCredentials(change, account),
    account.vendorAccountId,
  ).account;
  expect(changed.vendorAccountId).toBe(account.vendorAccountId);
  expect(openConfig(changed)).toEqual({
    ...openConfig(account),
    send: { ...openConfig(account).send, url: 'http://127.0.0.1:9/other' },
    signing: { ...openConfig(account).signing, header: 'x-other' },
    inbound_webhook: null,
  });
});

test('a change of one field keeps the other new fields of a gateway', () => {
  const account = accountOf({
    ...DESCRIPTION,
    send: { ...send, unless_gsm7: 'coding=2&charset=UTF-8' },
    refused: { path: ['error', 'errors'], starts_with: ['ERROR'], success_values: ['OK'] },
    inbound_webhook: { ...inbound, identity_paths: [['from', 'sender'], 'at'] },
  });
  const change = { refused: { detail_path: ['message', 'detail'] } };
  const changed = readCredentials(
    completeCredentials(change, account),
    account.vendorAccountId,
  ).account;
  const { refused, ...others } = openConfig(account);
  expect(openConfig(changed)).toEqual({
    ...others,
    refused: { ...refused, detail_path: ['message', 'detail'] },
  });
  expect(others.send.unless_gsm7).toEqual({ coding: '2', charset: 'UTF-8' });
  expect(describeCredentials(changed)).toMatchObject({
    'send.unless_gsm7': '{"coding":"2","charset":"UTF-8"}',
    'refused.path': 'error, errors',
    'refused.starts_with': 'ERROR',
    'refused.detail_path': 'message, detail',
    'inbound_webhook.identity_paths': '[["from","sender"],"at"]',
  });
});

test.each<[what: string, change: object]>([
  ['no headers', { url: 'http://evil.example/', body: send.body }],
  [
    'a header without a value',
    { url: 'http://evil.example/', body: send.body, headers: { Authorization: null } },
  ],
  ['no body', { url: 'http://evil.example/', headers: send.headers }],
  ['a longer host', { url: 'http://127.0.0.1:9.evil.example/', body: send.body }],
  ['a user name before another host', { url: 'http://127.0.0.1:9@evil.example/', body: send.body }],
])('stored secrets do not go to another address after a change that has %s', (_what, change) => {
  const account = accountOf(DESCRIPTION);
  expect(() => completeCredentials({ send: change }, account)).toThrow(
    expect.objectContaining({ code: 'invalid_params', message: expect.stringContaining('`send.') }),
  );
});

test('each gateway has a random account id, so that one owner cannot name the account of another', () => {
  expect(accountOf(DESCRIPTION).vendorAccountId).not.toBe(accountOf(DESCRIPTION).vendorAccountId);
});
