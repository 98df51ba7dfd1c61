import { beforeEach, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

let text = '';
const destination = { write: (line: string) => void (text += line) };
beforeEach(() => {
  text = '';
});

function logged(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  write(createLogger({ name: 'api', level: 'info', destination }));
  return JSON.parse(text) as Record<string, unknown>;
}

test('a log line contains the name of the level, the time in ISO format, the process and the child fields', () => {
  const line = logged((logger) => logger.child({ request_id: 'r1' }).warn({ count: 2 }, 'counted'));
  expect(line).toMatchObject({ level: 'warn', name: 'api', request_id: 'r1', count: 2 });
  expect(line['msg']).toBe('counted');
  expect(new Date(String(line['time'])).toISOString()).toBe(line['time']);
});

test('secrets and bodies are redacted in any spelling and at any depth', () => {
  logged((logger) =>
    logger.child({ cookie: 's3cret-1' }).info({
      headers: { Authorization: 's3cret-2', 'Set-Cookie': ['s3cret-3'] },
      account: { authToken: 's3cret-4', list: [{ api_key: 's3cret-5' }] },
      a: { b: { c: { password: 's3cret-6', d: { e: { f: { body: 's3cret-7' } } } } } },
      message: { body: 's3cret-8', segments: 1 },
      key: 's3cret-9',
    }),
  );
  expect(text).not.toContain('s3cret');
  expect(text).toContain('"segments":1');
});

test('a logged error keeps its type, code, stack and cause, but not the secrets that it contains', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new TypeError('failed', { cause }), {
    config: { headers: { authorization: 's3cret' } },
  });
  const line = logged((logger) => logger.error({ err: error }, 'call failed'));
  expect(line['err']).toMatchObject({
    type: 'TypeError',
    message: 'failed',
    cause: { type: 'Error', message: 'refused', code: 'ECONNREFUSED' },
  });
  expect(text).toContain('logger.test.ts');
  expect(text).not.toContain('s3cret');
});

test('an error that is logged without other fields is written under err', () => {
  const line = logged((logger) => logger.error(new Error('alone')));
  expect(line['err']).toMatchObject({ type: 'Error', message: 'alone' });
});

test('phone numbers are masked in fields, errors, URLs and messages', () => {
  logged((logger) =>
    logger.info(
      {
        to: '+15551234567',
        from: '15551234567',
        number: '+15551234567',
        status: { from: 'queued', to: 'sent' },
        url: '/api/messages?to=%2B15551234567&page=1',
        other_urls: [
          '/messages?to=%2015551234567&from=15551234567',
          '/opt-outs/15551234567',
          '/opt-outs/+%31%3555%31234567',
        ],
        err: new Error('Key (to)=(+15551234567) already exists'),
      },
      'sent to +15551234567',
    ),
  );
  expect(text).not.toContain('5551234');
  expect(text).toContain('•••4567');
  expect(text).toContain('"status":{"from":"queued","to":"sent"}');
  expect(text).toContain('&page=1');
});

test('credentials inside texts are masked', () => {
  logged((logger) =>
    logger.info({
      database: 'postgres://user:s3cret@host:5432/db',
      header: 'Bearer s3cret',
      protocols: 'messaging.v1, bearer.s3cret',
    }),
  );
  expect(text).not.toContain('s3cret');
  expect(text).toContain('postgres://user:[redacted]@host:5432/db');
});

test('the signature of a link is masked', () => {
  const signature = `${'s3'.repeat(21)}x.${'s3'.repeat(21)}x`;
  const url = `/api/media-links/1/media.png?expires=1&signature=${signature}&x=1`;
  logged((logger) => logger.info({ req: { url } }, `fetched ${url}`));
  expect(text).not.toContain('s3s3');
  expect(text).toContain('signature=[redacted]&x=1');
});

test('the code and the state in the address of a single sign-on are masked', () => {
  logged((logger) => logger.info({ req: { url: '/api/ui/oidc/callback?code=s3cret&state=s3s3' } }));
  expect(text).not.toMatch(/s3/);
  expect(text).toContain('/api/ui/oidc/callback?[redacted]"');
});

test.each([
  ['an API key', `swb_${'k7'.repeat(19)}`],
  ['an invite token', `swi_${'i7'.repeat(21)}x`],
  ['a session token', `sws_${'s7'.repeat(21)}x`],
  ['a token of a future kind', `swz_${'z7'.repeat(21)}x`],
])(
  '%s is masked wherever it occurs: in a path, a query, a fragment, a field or a text',
  (_, token) => {
    const secret = token.slice(4);
    logged((logger) =>
      logger.info(
        {
          req: { url: `/api/ui/invites/${token}/accept?a=${token}&b=1` },
          link: `https://example.com/invite#invite=${token}`,
          encoded: `/sign-up?next=%2Finvite%23invite%3D${token.replace('_', '%5F')}`,
          letters: `/invites/${token.replace('sw', '%73%77')}`,
          err: new Error(`no route ${token}`),
        },
        `received ${token}`,
      ),
    );
    expect(text).not.toContain(secret);
    expect(text).toContain(`/api/ui/invites/${token.slice(0, 4)}[redacted]/accept?a=`);
    expect(text).toContain('&b=1');
  },
);

test('values with toJSON, absent values and cycles are logged without an error', () => {
  const cycle: Record<string, unknown> = { at: new Date(0), none: null, missing: undefined };
  cycle['self'] = cycle;
  const line = logged((logger) => logger.info({ cycle, token: null }));
  expect(line['cycle']).toMatchObject({ at: '1970-01-01T00:00:00.000Z', none: null });
  expect(line['token']).toBeNull();
});

// One in each line: the check that a line needs no mask must find every kind by itself.
test.each([
  ['a phone number', 'to +15551234567', '5551234'],
  ['an encoded phone number', 'to%2b15551234567', '5551234'],
  ['a phone number in a path', '/opt-outs/15551234567', '5551234'],
  ['a phone number in a query', 'to=15551234567', '5551234'],
  ['a phone number after an encoded space', 'to%2015551234567', '5551234'],
  ['a credential', `SWB_${'K7'.repeat(19)}`, 'K7K7'],
  ['an encoded credential', `%73wb_${'k7'.repeat(19)}`, 'k7k7'],
  ['a signature', `signature=${'s3'.repeat(21)}`, 's3s3'],
  ['a bearer credential', 'BEARER s3cret', 's3cret'],
  ['a password in a URL', 'redis://:s3cret@host', 's3cret'],
])('%s is masked in a line with nothing else to mask', (_, value, secret) => {
  logged((logger) => logger.info({ value }, 'read'));
  expect(text).not.toContain(secret);
});

test('a logged object is not changed, even if its line is redacted', () => {
  const fields = { token: 's3cret', count: 1, inner: { body: 'Hello' } };
  const line = logged((logger) => logger.info(fields, 'read'));
  expect(line).toMatchObject({ token: '[redacted]', count: 1, inner: { body: '[redacted]' } });
  expect(fields).toEqual({ token: 's3cret', count: 1, inner: { body: 'Hello' } });
});
