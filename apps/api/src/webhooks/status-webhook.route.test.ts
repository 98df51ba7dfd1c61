import { Writable } from 'node:stream';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { RequestLog } from '../http/log-requests.ts';
import { parseFormBodies } from './parse-form.ts';
import { type StatusWebhookDependencies, registerStatusWebhook } from './status-webhook.route.ts';

type Result = Awaited<ReturnType<StatusWebhookDependencies['recordStatusCallback']>>;

const CALLBACK = '/api/webhooks/twilio/01a1f8f1-54f4-7000-b000-03e09a2e335c/status';

/** What is logged, at `level` and above, of one status callback that comes to `result`. */
async function logOf(level: 'debug' | 'info', result: Result): Promise<string[]> {
  const lines: string[] = [];
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push((JSON.parse(line.toString()) as { msg: string }).msg);
      done();
    },
  });
  const app = fastify({
    logger: { level, stream },
    logController: new RequestLog({ requestIdLogLabel: 'request_id' }),
  });
  parseFormBodies(app);
  const accountSid = 'AC1';
  const callback = { sid: 'SM1', accountSid, status: 'sent' };
  registerStatusWebhook(app, {
    verifyWebhook: async () =>
      ({
        workspaceId: 'w',
        adapter: { parseStatusCallback: () => callback },
        account: { accountSid },
        fields: [],
      }) as never,
    readRow: async () => null,
    recordStatusCallback: async () => result,
    tracer: null,
    metrics: { callbacks: { inc: () => undefined } },
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await app.inject({ method: 'POST', url: CALLBACK, headers, payload: 'MessageSid=SM1' });
  await app.close();
  return lines;
}

test('a callback that its message tells of has a line at level debug, and none above', async () => {
  expect(await logOf('info', 'recorded')).toEqual([]);
  expect(await logOf('debug', 'recorded')).toEqual([
    'incoming request',
    'status callback',
    'request completed',
  ]);
});

test('a callback that is refused has its line', async () => {
  expect(await logOf('info', 'foreign')).toContain('request completed');
});
