import { expect, test } from 'vitest';
import { type Reply, openGateway } from './open-gateway.ts';

const ID = '0197a000-0000-7000-8000-000000000001';

async function outcomeOf(reply: Reply, sections: object) {
  const send = await openGateway({ status: 200, ...reply });
  return (await send({}, {}, sections)).outcome;
}

const TEXT = 'text/plain';

test.each<[what: string, reply: Reply, refused: object, code: string, detail: string]>([
  ['a text', { body: 'ERROR:14', type: TEXT }, { starts_with: ['ERROR'] }, '14', 'ERROR:14'],
  [
    'a JSON error',
    { body: '{"error":14,"message":"No credits"}' },
    { path: 'error' },
    '14',
    'No credits',
  ],
  // The HTTP API of Clickatell
  [
    'a text with words',
    { body: 'ERR: 301, No Credit Left\r\n', type: TEXT },
    { starts_with: ['ERR:'] },
    '301',
    'ERR: 301, No Credit Left',
  ],
  // https://docs.hollatags.com/sms/api-response
  [
    'one word',
    { body: 'error_credit', type: TEXT },
    { starts_with: ['error_'] },
    'error_credit',
    'error_credit',
  ],
  // Route Mobile, Bulk HTTP API Specifications
  [
    'a number',
    { body: '1704|447700900123' },
    { starts_with: ['1702', '1704'] },
    '1704',
    '1704|447700900123',
  ],
  // https://intellisms.atlassian.net
  ['a negative number', { body: '-210' }, { starts_with: ['-'] }, '-210', '-210'],
  // Jasmin, HTTP API
  [
    'a sentence in a status of success',
    { body: 'Error "No route found"' },
    { starts_with: ['Error'] },
    'http_200',
    'Error "No route found"',
  ],
  [
    'XML after its declaration',
    { body: '<?xml version="1.0"?>\n<error code="7">Invalid number</error>', type: 'text/xml' },
    { starts_with: ['<error'] },
    'http_200',
    'Invalid number',
  ],
  // Textlocal
  [
    'a list of errors',
    { body: '{"errors":[{"code":7,"message":"Insufficient credits"}],"status":"failure"}' },
    { path: 'errors' },
    '7',
    'Insufficient credits',
  ],
  // https://github.com/playsms/playsms/blob/master/documents/development/WEBSERVICES.md
  [
    'a code in a string',
    { body: '{"data":[{"status":"ERR","error":"103"}]}', type: 'text/html' },
    { path: 'data.0.error' },
    '103',
    'The gateway responded with 200.',
  ],
  // ClickSend
  [
    'another word than that of success',
    { body: '{"data":{"messages":[{"message_id":"M","status":"INSUFFICIENT_CREDIT"}]}}' },
    {
      path: 'data.messages.0.status',
      code_path: 'data.messages.0.status',
      success_values: ['SUCCESS'],
    },
    'INSUFFICIENT_CREDIT',
    'INSUFFICIENT_CREDIT',
  ],
  // https://developer.vonage.com/messaging/sms/guides/troubleshooting-sms
  [
    'the old API of Vonage',
    { body: '{"messages":[{"status":"9","error-text":"Partner quota exceeded"}]}' },
    { path: 'messages.0.status', detail_path: 'messages.0.error-text' },
    '9',
    'Partner quota exceeded',
  ],
  [
    'words in another charset',
    { body: '{"error":"N\xFAmero inv\xE1lido"}', type: 'application/json; charset=ISO-8859-1' },
    { path: 'error' },
    'http_200',
    'Número inválido',
  ],
  [
    'JSON with a byte order mark',
    { body: '\xEF\xBB\xBF{"error":{"code":"E7","message":"Blocked"}}' },
    { path: ['failure', 'error'] },
    'E7',
    'Blocked',
  ],
  // Traccar SMS Gateway: app/src/main/java/org/traccar/gateway/JettyWebServer.kt
  [
    'a status of the server',
    { status: 500, body: 'Missing phone or message', type: 'text/html' },
    { starts_with: ['Missing'] },
    'http_500',
    'Missing phone or message',
  ],
])(
  'a response with %s that says that the message is refused fails it with the gateway’s code and words',
  async (_what, reply, refused, code, detail) => {
    const accepted = { statuses: [200, 202] };
    const expected = { kind: 'rejected', code, detail, isOptOut: false };
    expect(await outcomeOf(reply, { accepted, refused })).toEqual(expected);
  },
);

test.each([
  '{"id":"g-1"}',
  '{"id":"g-1","error":null}',
  '{"id":"g-1","error":false}',
  '{"id":"g-1","error":0}',
  '{"id":"g-1","error":""}',
  '{"id":"g-1","error":"0"}',
  '{"id":"g-1","error":"000"}',
  '{"id":"g-1","error":[]}',
  '{"id":"g-1","error":{}}',
])('the response %s is no refusal', async (body) => {
  const refused = { path: 'error', starts_with: ['ERROR'] };
  expect(
    await outcomeOf({ body }, { accepted: { statuses: [200], id_path: 'id' }, refused }),
  ).toMatchObject({
    kind: 'accepted',
    message: { sid: 'g-1' },
  });
});

test.each<[body: string, after: string, sid: string]>([
  ['ID: 5d2e8a', 'ID:', '5d2e8a'],
  ['OK\nID: 5d2e8a To: 447700900123', 'ID: ', '5d2e8a'],
  // BudgetSMS
  ['OK 12345678', 'OK', '12345678'],
  [
    'Success "07033084-5cfd-4812-90a4-e4d24ffb6e3d"',
    'Success',
    '07033084-5cfd-4812-90a4-e4d24ffb6e3d',
  ],
  [
    '447700900123,24137cf8-eccc-469c-80af-109538857e53',
    '{{to_digits}},',
    '24137cf8-eccc-469c-80af-109538857e53',
  ],
  [
    '1701|447700900123:bc5f7425-c98c-445b-a1f7-4fc5e2acef7e',
    '1701|{{to_digits}}:',
    'bc5f7425-c98c-445b-a1f7-4fc5e2acef7e',
  ],
  [
    '<?xml version="1.0"?><reply><id>98765432109876543210</id></reply>',
    '<id>',
    '98765432109876543210',
  ],
  ['success;sms-17;1', 'success;', 'sms-17'],
])('the identifier in the text %j after %j is %s', async (body, after, sid) => {
  const accepted = { statuses: [200], id_after: after };
  expect(await outcomeOf({ body, type: TEXT }, { accepted })).toMatchObject({
    kind: 'accepted',
    message: { sid },
  });
});

test.each(['{"id":"g-1","status":"SUCCESS"}', '{"id":"g-1","status":"Queued"}'])(
  'the response %s is no refusal if the account lists its word as one of success',
  async (body) => {
    const refused = { path: 'status', success_values: ['Queued', 'SUCCESS'] };
    const accepted = { statuses: [200], id_path: 'id' };
    expect(await outcomeOf({ body }, { accepted, refused })).toMatchObject({
      kind: 'accepted',
      message: { sid: 'g-1' },
    });
  },
);

test('a text without the words before the identifier leaves the outcome unknown', async () => {
  const accepted = { statuses: [200], id_after: 'ID:' };
  expect(await outcomeOf({ body: 'Queued' }, { accepted })).toMatchObject({ kind: 'unknown' });
});

test('a text is accepted with our own id if the account has no way to an identifier', async () => {
  const reply = { status: 202, body: '0: Accepted for delivery', type: TEXT };
  expect(await outcomeOf(reply, { accepted: { statuses: [202] } })).toMatchObject({
    kind: 'accepted',
    message: { sid: ID },
  });
});

test.each([
  ['{"id":9007199254740993}', '9007199254740993'],
  ['{"id":-12345678901234567890}', '-12345678901234567890'],
  ['\xEF\xBB\xBF{"id":123456789012345678}', '123456789012345678'],
  ['{"text":"a \\" 9007199254740993, \\\\","id":18446744073709551615}', '18446744073709551615'],
  ['{"id":42}', '42'],
])('the identifier in the response %s is kept digit for digit', async (body, sid) => {
  const accepted = { statuses: [200], id_path: 'id' };
  expect(await outcomeOf({ body }, { accepted })).toMatchObject({ message: { sid } });
});

test('the first path of a list that finds a value counts', async () => {
  const accepted = { statuses: [200], id_path: ['data.id', 'data.0.id', 'id'] };
  for (const body of [
    '{"data":{"id":"a"},"id":"b"}',
    '{"data":[{"id":"a"}]}',
    '{"data":null,"id":"a"}',
    '{"data":{"id":""},"id":"a"}',
  ]) {
    expect(await outcomeOf({ body }, { accepted })).toMatchObject({ message: { sid: 'a' } });
  }
});

test('the words of a refusal in plain text are kept', async () => {
  const refused = { statuses: [400, 403] };
  const detail = 'Authorization failed for sendsms';
  expect(await outcomeOf({ status: 403, body: detail, type: TEXT }, { refused })).toMatchObject({
    kind: 'not_sent',
    reason: 'credentials',
    detail,
  });
  expect(await outcomeOf({ status: 400, body: 'Empty text' }, { refused })).toMatchObject({
    kind: 'rejected',
    code: 'http_400',
    detail: 'Empty text',
  });
});

test('a refusal with status 429 or 401 is throttled or about the credentials, as in any other body', async () => {
  const sections = { refused: { path: 'error' } };
  const body = '{"error":"No"}';
  expect(await outcomeOf({ status: 429, body }, sections)).toMatchObject({ reason: 'throttled' });
  expect(await outcomeOf({ status: 401, body }, sections)).toMatchObject({
    kind: 'not_sent',
    reason: 'credentials',
    detail: 'No',
  });
});
