import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, test, vi } from 'vitest';
import { respond, formatResponse, type ReceivedRequest } from '../fault-server.ts';
import { type AdapterContract } from './open-contract.ts';

/** Long enough to connect and write the request on a busy machine: before that, the message is not sent. */
const DEADLINE_MS = 2_000;

/** Tests failures after the request may have been written: their outcome is unknown, and no call is repeated. */
export function describeMaybeSent(contract: AdapterContract): void {
  const { vendor, createAdapter, start, send, accept, give } = contract;
  const { errors } = vendor;

  describe(`${contract.name}: maybe sent`, () => {
    const ambiguous: Record<string, (received: ReceivedRequest) => void> = {
      'a reset after the request': ({ socket }) => void socket.resetAndDestroy(),
      'an end after the request': ({ socket }) => void socket.end(),
      'half of the response headers': ({ socket }) => void socket.end('HTTP/1.1 20'),
      'no HTTP at all': ({ socket }) => void socket.end('220 mail.example ESMTP\r\n'),
      'a body cut short': ({ socket }) => {
        const { status, body } = vendor.acceptance;
        socket.end(formatResponse(status, body.slice(0, 40), {}, body.length));
      },
      'a body cut by a reset': ({ socket }) => {
        const { status, body } = vendor.acceptance;
        socket.write(formatResponse(status, body.slice(0, 40), {}, body.length), () =>
          setImmediate(() => socket.resetAndDestroy()),
        );
      },
      'a chunked body without its end': ({ socket }) => {
        const head = `HTTP/1.1 ${vendor.acceptance.status} Created\r\ntransfer-encoding: chunked\r\n\r\n`;
        const { body } = vendor.acceptance;
        socket.end(`${head}${body.length.toString(16)}\r\n${body}\r\n`);
      },
      'a 201 without an identifier': (received) => respond(received, 201, { status: 'queued' }),
      'a 201 that is not an object': (received) => respond(received, 201, 'null'),
      'a 201 that is not JSON': (received) => respond(received, 201, '<html>Created</html>'),
      'an empty 201': (received) => respond(received, 201, ''),
      'a 500': give(errors.internal),
      'a 503': (received) => respond(received, 503, errors.internal.body),
      'a 500 with the code of a refusal': (received) => respond(received, 500, errors.refused.body),
      'a 503 with the code for throttling': (received) =>
        respond(received, 503, errors.throttled.body),
      'a 502 from a proxy': (received) => respond(received, 502, '<html>Bad Gateway</html>'),
      'a 408': (received) => respond(received, 408, ''),
      'a 400 without a code': (received) => respond(received, 400, '<html>Bad Request</html>'),
      'a 400 cut short': ({ socket }) => {
        const { status, body } = errors.refused;
        socket.end(formatResponse(status, body.slice(0, -5), {}, body.length));
      },
      'a 429 cut short': ({ socket }) => {
        socket.end(formatResponse(429, '{', { 'retry-after': '7' }, 200));
      },
      'a 401 from a proxy': (received) => respond(received, 401, '<html>Unauthorized</html>'),
      'a 403 from a proxy': (received) => respond(received, 403, '<html>Forbidden</html>'),
      'a 404 without a code': (received) => respond(received, 404, 'Not here'),
    };

    for (const [fault, onRequest] of Object.entries(ambiguous)) {
      test(`${fault} leaves the outcome unknown, after one request`, async () => {
        const server = await start(onRequest);
        const outcome = await send(createAdapter({ apiUrl: server.url }));
        expect(outcome).toEqual({ kind: 'unknown', detail: expect.stringMatching(/\S/) });
        expect(server.requests).toHaveLength(1);
      });
    }

    test('a redirect leaves the outcome unknown and is never followed', async () => {
      const target = await start(accept);
      for (const status of [301, 302, 303, 307, 308]) {
        const server = await start((received) =>
          respond(received, status, '', { location: `${target.url}/elsewhere` }),
        );
        expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject({
          kind: 'unknown',
        });
      }
      expect(target.connections).toBe(0);
    });

    test('a call without a response has an unknown outcome after its deadline, and its connection is closed', async () => {
      const server = await start(() => {});
      const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: DEADLINE_MS });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
      await vi.waitFor(() => expect(server.requests[0]?.socket.destroyed).toBe(true), EVENTUALLY);
    });

    test('a response that arrives byte by byte leaves the outcome unknown after the deadline', async () => {
      const server = await start(({ socket }) => {
        const text = formatResponse(vendor.acceptance.status, vendor.acceptance.body);
        let sent = 0;
        const timer = setInterval(() => socket.write(text.slice(sent, (sent += 1))), 100);
        socket.on('close', () => clearInterval(timer));
      });
      const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: DEADLINE_MS });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
    });

    test('a response that is too large leaves the outcome unknown', async () => {
      const text = vendor.acceptance.body + ' '.repeat(5 * 1024 * 1024);
      const server = await start((received) => respond(received, vendor.acceptance.status, text));
      const adapter = createAdapter({ apiUrl: server.url });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
    });
  });
}
