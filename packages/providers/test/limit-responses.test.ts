import type { Socket } from 'node:net';
import { EVENTUALLY } from '@switchboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCheckedFetch } from '../src/http/fetch-checked.ts';
import { createOriginClient } from '../src/http/origin-client.ts';
import { createCheckedPost } from '../src/http/post-checked.ts';
import { createWebhookTargets } from '../src/http/webhook-url.ts';
import { LOCALHOST_CERTIFICATE, type ReceivedRequest, startFaultServer } from './fault-server.ts';

interface Result {
  /** The status and body of the final response; null if there was none. */
  response: [number, string] | null;
  detail: string;
}
type Client = (url: string, timeoutMs: number) => () => Promise<Result>;

const MAX_BYTES = 64 * 1_024;

/** The clients of vendors and gateways, of workspace webhooks, and of media. */
const CLIENTS: Record<string, Client> = {
  'a provider call': (url, timeoutMs) => {
    const client = createOriginClient({
      origin: url,
      maxConnections: 1,
      connectTimeoutMs: 20_000,
      ca: LOCALHOST_CERTIFICATE,
      maxResponseBytes: MAX_BYTES,
    });
    onTestFinished(() => client.close());
    return async () => {
      const outcome = await client.exchange(
        { method: 'POST', path: '/', headers: {}, body: 'x'.repeat(40_000) },
        { timeoutMs, mayWrite: () => true },
      );
      return outcome.kind === 'answered'
        ? { response: [outcome.status, outcome.body], detail: '' }
        : { response: null, detail: outcome.detail };
    };
  },
  'a delivery of a workspace webhook': (url, timeoutMs) => {
    const targets = createWebhookTargets({ allowLoopback: true });
    const poster = createCheckedPost({ timeoutMs, targets, ca: LOCALHOST_CERTIFICATE });
    onTestFinished(() => poster.close());
    return async () => {
      const outcome = await poster.post(url, { headers: {}, body: 'x'.repeat(40_000) });
      return outcome.kind === 'answered'
        ? { response: [outcome.statusCode, outcome.excerpt], detail: '' }
        : { response: null, detail: outcome.detail };
    };
  },
  'a fetch of media': (url, timeoutMs) => {
    const fetchChecked = createCheckedFetch({
      timeoutMs,
      maxBytes: MAX_BYTES,
      ca: LOCALHOST_CERTIFICATE,
    });
    return async () => {
      const outcome = await fetchChecked(url, { authorization: '', isTrusted: () => true });
      if (outcome.kind !== 'found') {
        return { response: null, detail: 'detail' in outcome ? outcome.detail : outcome.kind };
      }
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of outcome.body) chunks.push(chunk);
        return { response: [200, Buffer.concat(chunks).toString()], detail: '' };
      } catch (error) {
        return { response: null, detail: String(error) };
      }
    };
  },
};

async function start(response: (request: ReceivedRequest) => void, tls = false) {
  const sockets: Socket[] = [];
  const server = await startFaultServer(response, {
    tls,
    onConnection: (s) => void sockets.push(s),
  });
  onTestFinished(async () => {
    if (server.isListening()) await server.close();
  });
  return { server, areClosed: () => sockets.every((socket) => socket.destroyed) };
}

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX: 2\r\n\r\n';

describe.for(Object.entries(CLIENTS))('%s', ([, open]) => {
  test.for([
    ['100 Continue', CONTINUE],
    ['102 Processing, repeated', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(5)],
    ['103 Early Hints with headers', HINTS],
    ['100 and 103', CONTINUE + HINTS],
    ['103 in a row', HINTS + HINTS],
    // As XRootD sends it.
    [
      '100 without a reason, with headers of a body',
      'HTTP/1.1 100\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n',
    ],
    ['an unassigned 1xx of HTTP/1.0', 'HTTP/1.0 199 Odd\r\nDate: now\r\n\r\n'],
    ['100 with lines that end without CR', 'HTTP/1.1 100 Continue\n\n'],
  ])('%s before the final response is skipped: the final response counts', async ([, before]) => {
    const { server } = await start(({ socket }) => socket.write(before + FINAL));
    const call = open(server.url, 20_000);
    expect(await call()).toEqual({ response: [200, 'ok'], detail: '' });
    expect(await call()).toEqual({ response: [200, 'ok'], detail: '' });
  });

  test('informational and final responses may arrive byte by byte, over TLS, on a connection that is used again', async () => {
    const { server } = await start(async ({ socket }) => {
      socket.setNoDelay(true);
      for (const byte of CONTINUE + HINTS + FINAL) {
        socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }, true);
    const call = open(server.url, 40_000);
    expect(await call()).toEqual({ response: [200, 'ok'], detail: '' });
    expect(await call()).toEqual({ response: [200, 'ok'], detail: '' });
  });

  test('an informational response without a final one is a failure', async () => {
    const { server, areClosed } = await start(({ socket }) => socket.end(CONTINUE));
    expect((await open(server.url, 20_000)()).response).toBeNull();
    await expect.poll(areClosed, EVENTUALLY).toBe(true);
  });

  /** Writes without an end, as fast as the client reads. */
  function pour(socket: Socket, first: string, text: string): void {
    socket.write(first);
    const more = (): void => {
      while (!socket.destroyed && socket.write(text));
    };
    socket.on('drain', more);
    more();
  }

  test.for([
    ['headers', 'HTTP/1.1 200 OK\r\n', `X-More: ${'y'.repeat(1_000)}\r\n`],
    ['one header', 'HTTP/1.1 200 OK\r\nX: ', 'y'.repeat(65_536)],
    ['informational responses', '', HINTS.repeat(100)],
    ['headers of an informational response', 'HTTP/1.1 103 Early Hints\r\n', 'X: y\r\n'.repeat(99)],
    [
      'chunk extensions',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=',
      'y'.repeat(65_536),
    ],
    [
      'chunks of one byte',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\nx\r\n'.repeat(9_999),
    ],
    ['a body', 'HTTP/1.1 200 OK\r\n\r\n', 'y'.repeat(65_536)],
  ] as const)(
    'a response with endless %s closes the connection at a limit of bytes',
    async ([what, first, text]) => {
      let written = 0;
      const { server, areClosed } = await start(({ socket }) => {
        socket.on('close', () => (written = socket.bytesWritten));
        pour(socket, first, text);
      });
      const result = await open(server.url, 60_000)();
      await expect.poll(areClosed, EVENTUALLY).toBe(true);
      // What the client has read, and the buffers of two sockets.
      await expect.poll(() => written, EVENTUALLY).toBeGreaterThan(0);
      expect(written).toBeLessThan(20_000_000);
      // A webhook's response counts from its status on; its body is not needed.
      const isBody = what.startsWith('chunk') || what === 'a body';
      if (!isBody || result.response === null) expect(result).toMatchObject({ response: null });
      if (result.response === null) {
        expect(result.detail).toMatch(
          /longer than|larger than|max size|too many headers|Headers Overflow/i,
        );
      }
    },
  );

  test.for([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X: y\r\n'],
    ['an informational response', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n', 'y'],
    ['nothing', '', ''],
  ] as const)(
    'a response that drips %s ends at the deadline of the whole request, which its owner sees',
    async ([, first, drop]) => {
      const { server, areClosed } = await start(({ socket }) => {
        socket.write(first);
        const drip = setInterval(() => socket.write(drop), 50);
        socket.on('close', () => clearInterval(drip));
      });
      const result = await open(server.url, 1_500)();
      expect(result.response).toBeNull();
      expect(result.detail).toMatch(/within 1[.,]?5|aborted due to timeout/);
      await expect.poll(areClosed, EVENTUALLY).toBe(true);
    },
  );

  test('a refused connection fails immediately, with its reason', async () => {
    const { server } = await start(() => undefined);
    await server.close();
    const result = await open(server.url, 60_000)();
    expect(result).toEqual({ response: null, detail: expect.stringContaining('ECONNREFUSED') });
  });

  test('a request to a server that never reads it ends at the deadline', async () => {
    const { server, areClosed } = await start(() => undefined);
    server.onRequest = ({ socket }) => void socket.pause();
    const result = await open(server.url, 1_500)();
    expect(result.response).toBeNull();
    await expect.poll(areClosed, EVENTUALLY).toBe(true);
  });
});
