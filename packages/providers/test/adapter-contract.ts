import { setTimeout as delay } from 'node:timers/promises';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import type {
  ProbeOutcome,
  ProviderAccount,
  ProviderAdapter,
  SendOutcome,
  SendRequest,
} from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';

import {
  answer,
  type FaultServer,
  type FaultServerOptions,
  formatAnswer,
  LOCALHOST_CERTIFICATE,
  type ReceivedRequest,
  startFaultServer,
} from './fault-server.ts';

export interface AdapterOptions {
  apiUrl: string;
  callTimeoutMs: number;
  connectTimeoutMs?: number;
  maxConnections?: number;
  ca?: string;
}

/** What the suite has to know of a vendor to drive its adapter. */
export interface Vendor {
  createAdapter(options: AdapterOptions): ProviderAdapter;
  account: ProviderAccount;
  /** The vendor's answer that takes a message, whatever its recipient. */
  acceptance: { status: number; body: string };
}

/** What every adapter must keep: RELIABILITY.md section 1, and the doc comments of the port. */
export function describeAdapterContract(name: string, vendor: Vendor): void {
  const open: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const item of open.splice(0).reverse()) await item.close();
  });

  function createAdapter(options: Partial<AdapterOptions> & { apiUrl: string }): ProviderAdapter {
    const adapter = vendor.createAdapter({ callTimeoutMs: 3_000, ...options });
    open.push(adapter);
    return adapter;
  }

  async function start(
    onRequest: (request: ReceivedRequest) => void,
    options?: FaultServerOptions,
  ): Promise<FaultServer> {
    const server = await startFaultServer(onRequest, options);
    open.push(server);
    return server;
  }

  const request: SendRequest = {
    messageId: '0197a000-0000-7000-8000-000000000001',
    attempt: 1,
    to: '+15551234567',
    from: '+15557654321',
    body: 'Hello',
    mediaUrls: [],
    statusUrl: 'https://switchboard.example/status?message=1&attempt=1',
  };

  function send(adapter: ProviderAdapter, mayWrite = () => true): Promise<SendOutcome> {
    return adapter.send(vendor.account, request, mayWrite);
  }

  function accept(received: ReceivedRequest): void {
    answer(received, vendor.acceptance.status, vendor.acceptance.body);
  }

  const unreachable = { kind: 'not_sent', reason: 'unreachable', code: null };

  describe(`${name}: surely not sent`, () => {
    test('a refused connection is unreachable', async () => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as AddressInfo;
      probe.close();
      await once(probe, 'close');
      const outcome = await send(createAdapter({ apiUrl: `http://127.0.0.1:${port}` }));
      expect(outcome).toMatchObject(unreachable);
      expect(outcome).toHaveProperty('detail', expect.stringContaining('ECONNREFUSED'));
    });

    test('a name that does not resolve is unreachable', async () => {
      const adapter = createAdapter({ apiUrl: 'http://nobody.invalid' });
      expect(await send(adapter)).toMatchObject(unreachable);
    });

    test('a server that does not speak TLS is unreachable, and sees nothing of the message', async () => {
      const server = await start((received) => received.socket.end(), {
        onConnection: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
      });
      const adapter = createAdapter({ apiUrl: server.url.replace('http:', 'https:') });
      expect(await send(adapter)).toMatchObject(unreachable);
      expect(server.requests).toEqual([]);
    });

    test('an untrusted certificate is unreachable', async () => {
      const server = await start(accept, { tls: true });
      expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject(unreachable);
      expect(server.bytesReceived).toBe(0);
    });

    test("another host's certificate is unreachable, the second time too", async () => {
      const server = await start(accept, { tls: true });
      const apiUrl = server.url.replace('localhost', '127.0.0.1');
      const adapter = createAdapter({ apiUrl, ca: LOCALHOST_CERTIFICATE, maxConnections: 1 });
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const outcome = await send(adapter);
        expect(outcome).toMatchObject(unreachable);
        expect(outcome).toHaveProperty('detail', expect.stringContaining('ERR_TLS'));
      }
      expect(server.bytesReceived).toBe(0);
    });

    test('a handshake that never ends is unreachable after the connect timeout', async () => {
      const server = await start(accept, { tls: true, onConnection: () => new Promise(() => {}) });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        connectTimeoutMs: 100,
        callTimeoutMs: 10_000,
      });
      const outcome = await send(adapter);
      expect(outcome).toMatchObject(unreachable);
      expect(outcome).toHaveProperty('detail', expect.stringContaining('UND_ERR_CONNECT_TIMEOUT'));
    });

    test('a connection cut in the handshake is unreachable', async () => {
      const server = await start(accept, {
        tls: true,
        onConnection: (socket) => void socket.resetAndDestroy(),
      });
      const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
      expect(await send(adapter)).toMatchObject(unreachable);
    });

    test('a call whose deadline passes while it waits for a connection is never written', async () => {
      const server = await start(() => {});
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1, callTimeoutMs: 300 });
      const asked = vi.fn(() => true);
      const outcomes = await Promise.all([send(adapter), send(adapter, asked)]);
      expect(outcomes).toMatchObject([{ kind: 'unknown' }, unreachable]);
      expect(asked).not.toHaveBeenCalled();
      await vi.waitFor(() => expect(server.requests).toHaveLength(1), EVENTUALLY);
      // The freed connection serves on.
      server.onRequest = accept;
      expect(await send(adapter)).toMatchObject({ kind: 'accepted' });
      expect(server.requests).toHaveLength(2);
    });

    test('after close, a call is refused without a connection', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url });
      await adapter.close();
      expect(await send(adapter)).toMatchObject(unreachable);
      expect(server.connections).toBe(0);
    });
  });

  describe(`${name}: maybe sent`, () => {
    const ambiguous: Record<string, (received: ReceivedRequest) => void> = {
      'a reset after the request': ({ socket }) => void socket.resetAndDestroy(),
      'an end after the request': ({ socket }) => void socket.end(),
      'half a head': ({ socket }) => void socket.end('HTTP/1.1 20'),
      'no HTTP at all': ({ socket }) => void socket.end('220 mail.example ESMTP\r\n'),
      'a body cut short': ({ socket }) => {
        const { status, body } = vendor.acceptance;
        socket.end(formatAnswer(status, body.slice(0, 40), {}, body.length));
      },
      'a body cut by a reset': ({ socket }) => {
        const { status, body } = vendor.acceptance;
        socket.write(formatAnswer(status, body.slice(0, 40), {}, body.length), () =>
          setImmediate(() => socket.resetAndDestroy()),
        );
      },
      'a chunked body without its end': ({ socket }) => {
        const head = `HTTP/1.1 ${vendor.acceptance.status} Created\r\ntransfer-encoding: chunked\r\n\r\n`;
        const { body } = vendor.acceptance;
        socket.end(`${head}${body.length.toString(16)}\r\n${body}\r\n`);
      },
      'a 201 without an identifier': (received) => answer(received, 201, { status: 'queued' }),
      'a 201 that is no object': (received) => answer(received, 201, 'null'),
      'a 201 that is no JSON': (received) => answer(received, 201, '<html>Created</html>'),
      'an empty 201': (received) => answer(received, 201, ''),
      'a 500': (received) => answer(received, 500, { code: 20500, message: 'Internal error' }),
      'a 503': (received) => answer(received, 503, { code: 20503, message: 'Unavailable' }),
      'a 502 of a proxy': (received) => answer(received, 502, '<html>Bad Gateway</html>'),
      'a 408': (received) => answer(received, 408, ''),
      'a 400 without a code': (received) => answer(received, 400, '<html>Bad Request</html>'),
      'a 400 cut short': ({ socket }) => {
        socket.end(formatAnswer(400, '{"code": 21211, "mess', {}, 200));
      },
      'a 429 cut short': ({ socket }) => {
        socket.end(formatAnswer(429, '{', { 'retry-after': '7' }, 200));
      },
      'a 401 of a proxy': (received) => answer(received, 401, '<html>Unauthorized</html>'),
      'a 403 of a proxy': (received) => answer(received, 403, '<html>Forbidden</html>'),
      'a 404 without a code': (received) => answer(received, 404, 'Not here'),
    };

    for (const [fault, onRequest] of Object.entries(ambiguous)) {
      test(`${fault} is unknown, after one request`, async () => {
        const server = await start(onRequest);
        const outcome = await send(createAdapter({ apiUrl: server.url }));
        expect(outcome).toEqual({ kind: 'unknown', detail: expect.stringMatching(/\S/) });
        expect(server.requests).toHaveLength(1);
      });
    }

    test('a redirect is unknown and never followed', async () => {
      const target = await start(accept);
      for (const status of [301, 302, 303, 307, 308]) {
        const server = await start((received) =>
          answer(received, status, '', { location: `${target.url}/elsewhere` }),
        );
        expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject({
          kind: 'unknown',
        });
      }
      expect(target.connections).toBe(0);
    });

    test('silence is unknown when the deadline passes, and the connection is given up', async () => {
      const server = await start(() => {});
      const startedAt = performance.now();
      const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: 300 });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
      expect(performance.now() - startedAt).toBeLessThan(1_500);
      await vi.waitFor(() => expect(server.requests[0]?.socket.destroyed).toBe(true), EVENTUALLY);
    });

    test('an answer that drips is unknown when the deadline passes', async () => {
      const server = await start(({ socket }) => {
        const text = formatAnswer(vendor.acceptance.status, vendor.acceptance.body);
        let sent = 0;
        const timer = setInterval(() => socket.write(text.slice(sent, (sent += 1))), 20);
        socket.on('close', () => clearInterval(timer));
      });
      const startedAt = performance.now();
      const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: 400 });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
      expect(performance.now() - startedAt).toBeLessThan(1_500);
    });

    test('an answer that is too large is unknown', async () => {
      const text = vendor.acceptance.body + ' '.repeat(5 * 1024 * 1024);
      const server = await start((received) => answer(received, vendor.acceptance.status, text));
      const adapter = createAdapter({ apiUrl: server.url });
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
    });
  });

  describe(`${name}: the provider's word`, () => {
    test('an identifier is accepted, over TLS too', async () => {
      for (const tls of [false, true]) {
        const server = await start(accept, { tls });
        const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
        expect(await send(adapter)).toMatchObject({
          kind: 'accepted',
          message: { sid: expect.stringMatching(/\S/), direction: 'outbound' },
        });
        expect(server.requests).toHaveLength(1);
      }
    });

    test('a 429 is throttled, with its Retry-After', async () => {
      const server = await start(({ socket }) => {
        socket.end(formatAnswer(429, '{"code":20429}', { 'retry-after': '7' }));
      });
      expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject({
        kind: 'not_sent',
        reason: 'throttled',
        retryAfterMs: 7_000,
      });
      expect(server.requests).toHaveLength(1);
    });

    test('a 401 is for the owner of the account', async () => {
      const server = await start((received) => answer(received, 401, { code: 20003 }));
      const outcome = await send(createAdapter({ apiUrl: server.url }));
      expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'credentials' });
    });
  });

  describe(`${name}: the fence`, () => {
    test('when it says no on a new connection, not one byte is written', async () => {
      for (const tls of [false, true]) {
        const server = await start(accept, { tls });
        const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
        expect(await send(adapter, () => false)).toMatchObject({
          kind: 'not_sent',
          reason: 'lease_expired',
        });
        await adapter.close();
        expect(server.bytesReceived).toBe(0);
        await vi.waitFor(() => expect(server.connections).toBe(1), EVENTUALLY);
      }
    });

    test('it is asked only once a connection is had', async () => {
      let letIn = () => {};
      const handshake = new Promise<void>((resolve) => (letIn = resolve));
      const server = await start(accept, { tls: true, onConnection: () => handshake });
      const adapter = createAdapter({ apiUrl: server.url, ca: LOCALHOST_CERTIFICATE });
      const mayWrite = vi.fn(() => false);
      const outcome = send(adapter, mayWrite);
      await vi.waitFor(() => expect(server.connections).toBe(1), EVENTUALLY);
      await delay(50);
      expect(mayWrite).not.toHaveBeenCalled();
      letIn();
      expect(await outcome).toMatchObject({ reason: 'lease_expired' });
      expect(mayWrite).toHaveBeenCalledTimes(1);
    });

    test('it is asked in the same tick in which the request is written', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      let sameTick = false;
      const writtenInSameTick: boolean[] = [];
      const onWritten = () => void writtenInSameTick.push(sameTick);
      subscribe('undici:client:sendHeaders', onWritten);
      subscribe('undici:request:bodySent', onWritten);
      try {
        const mayWrite = () => {
          sameTick = true;
          process.nextTick(() => (sameTick = false));
          return true;
        };
        // On a new connection, then on a reused one.
        for (let call = 1; call <= 2; call += 1) {
          expect(await send(adapter, mayWrite)).toMatchObject({ kind: 'accepted' });
        }
      } finally {
        unsubscribe('undici:client:sendHeaders', onWritten);
        unsubscribe('undici:request:bodySent', onWritten);
      }
      expect(server.connections).toBe(1);
      expect(writtenInSameTick).toEqual([true, true, true, true]);
    });

    test('a call that waited its turn is asked then, and leaves the connection to the next', async () => {
      const held: ReceivedRequest[] = [];
      const server = await start((received) => void held.push(received));
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      const first = send(adapter);
      await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
      const bytesOfOne = server.bytesReceived;

      let leaseLeft = true;
      const mayWrite = vi.fn(() => leaseLeft);
      const second = send(adapter, mayWrite);
      const third = send(adapter);
      leaseLeft = false;
      await delay(50);
      expect(mayWrite).not.toHaveBeenCalled();

      server.onRequest = accept;
      held.forEach(accept);
      const outcomes = await Promise.all([first, second, third]);
      expect(outcomes).toMatchObject([
        { kind: 'accepted' },
        { kind: 'not_sent', reason: 'lease_expired' },
        { kind: 'accepted' },
      ]);
      expect(mayWrite).toHaveBeenCalledTimes(1);
      expect(server.bytesReceived).toBe(2 * bytesOfOne);
      expect(server.connections).toBe(1);
    });

    test('a fence that throws writes nothing', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url });
      const outcome = await send(adapter, () => {
        throw new Error('no clock');
      });
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(server.bytesReceived).toBe(0);
    });
  });

  describe(`${name}: connections`, () => {
    test('are reused, never more than the bound, one request at a time on each', async () => {
      const busy = new Set<unknown>();
      let overlapped = false;
      const server = await start((received) => {
        if (busy.has(received.socket)) overlapped = true;
        busy.add(received.socket);
        setTimeout(() => {
          busy.delete(received.socket);
          accept(received);
        }, 2);
      });
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 4 });
      const outcomes = await Promise.all(Array.from({ length: 100 }, () => send(adapter)));
      expect(outcomes.every((outcome) => outcome.kind === 'accepted')).toBe(true);
      expect(server.requests).toHaveLength(100);
      expect(server.connections).toBeLessThanOrEqual(4);
      expect(overlapped).toBe(false);
    });

    test('stay within the bound while none can be made, and when they can again', async () => {
      let isDown = true;
      let alive = 0;
      let most = 0;
      const server = await start((received) => void setTimeout(() => accept(received), 2), {
        tls: true,
        async onConnection(socket) {
          most = Math.max(most, (alive += 1));
          socket.on('close', () => (alive -= 1));
          await delay(5);
          if (isDown) socket.resetAndDestroy();
        },
      });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        maxConnections: 4,
      });
      // They arrive while earlier ones wait and fail.
      const sendMany = () =>
        Promise.all(
          Array.from({ length: 60 }, (_, index) => delay(index).then(() => send(adapter))),
        );
      const refused = await sendMany();
      expect(refused.every((outcome) => outcome.kind === 'not_sent')).toBe(true);
      // Up again while calls wait for the connections that fail.
      const turning = sendMany();
      await vi.waitFor(() => expect(server.connections).toBeGreaterThan(80), EVENTUALLY);
      isDown = false;
      const kinds = new Set((await turning).map((outcome) => outcome.kind));
      expect(kinds).toEqual(new Set(['not_sent', 'accepted']));
      expect(most).toBe(4);
    });

    test('are not made for calls that gave up waiting for one', async () => {
      const stuck: (() => void)[] = [];
      const server = await start(accept, {
        tls: true,
        onConnection: (socket) =>
          new Promise(() => void stuck.push(() => void socket.resetAndDestroy())),
      });
      const adapter = createAdapter({
        apiUrl: server.url,
        ca: LOCALHOST_CERTIFICATE,
        maxConnections: 1,
        callTimeoutMs: 200,
        connectTimeoutMs: 200,
      });
      const outcomes = await Promise.all([send(adapter), send(adapter), send(adapter)]);
      expect(outcomes).toMatchObject([unreachable, unreachable, unreachable]);
      stuck[0]?.();
      await delay(100);
      expect(server.connections).toBe(1);
    });

    test('closed by the provider while idle are noticed, and the next call is accepted', async () => {
      const server = await start((received) => {
        accept(received);
        received.socket.end();
      });
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      for (let call = 1; call <= 5; call += 1) {
        expect(await send(adapter)).toMatchObject({ kind: 'accepted' });
        await vi.waitFor(
          () => expect(server.requests.at(-1)?.socket.destroyed).toBe(true),
          EVENTUALLY,
        );
      }
      expect(server.requests).toHaveLength(5);
    });

    test('reset under a request that reuses them make it unknown, and it is not repeated', async () => {
      const server = await start(accept);
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      await send(adapter);
      server.onRequest = ({ socket }) => void socket.resetAndDestroy();
      expect(await send(adapter)).toMatchObject({ kind: 'unknown' });
      expect(server.connections).toBe(1);
      expect(server.requests).toHaveLength(2);
    });

    test('are not kept where the provider says it closes them at once', async () => {
      const server = await start((received) =>
        answer(received, vendor.acceptance.status, vendor.acceptance.body, {
          'keep-alive': 'timeout=1',
        }),
      );
      const adapter = createAdapter({ apiUrl: server.url, maxConnections: 1 });
      await send(adapter);
      await send(adapter);
      expect(server.connections).toBe(2);
    });

    test('are given up after four idle seconds, however long the provider would keep them', async () => {
      const server = await start((received) =>
        answer(received, vendor.acceptance.status, vendor.acceptance.body, {
          'keep-alive': 'timeout=60',
        }),
      );
      await send(createAdapter({ apiUrl: server.url }));
      const [received] = server.requests;
      await delay(3_500);
      expect(received?.socket.destroyed).toBe(false);
      await vi.waitFor(() => expect(received?.socket.destroyed).toBe(true), { timeout: 2_000 });
    });

    test('close waits for calls in flight', async () => {
      const held: ReceivedRequest[] = [];
      const server = await start((received) => void held.push(received));
      const adapter = createAdapter({ apiUrl: server.url });
      const outcome = send(adapter);
      await vi.waitFor(() => expect(held).toHaveLength(1), EVENTUALLY);
      const order: string[] = [];
      const closed = adapter.close().then(() => order.push('closed'));
      void outcome.then(() => order.push('answered'));
      held.forEach(accept);
      await closed;
      expect(order).toEqual(['answered', 'closed']);
      expect(await outcome).toMatchObject({ kind: 'accepted' });
    });
  });

  describe(`${name}: look-ups`, () => {
    const faults: Record<string, (received: ReceivedRequest) => void> = {
      'a reset': ({ socket }) => void socket.resetAndDestroy(),
      'a 500': (received) => answer(received, 500, { code: 20500, message: 'Internal error' }),
      'a 429': (received) => answer(received, 429, { code: 20429, message: 'Too many requests' }),
      'a 401': (received) => answer(received, 401, { code: 20003, message: 'Authenticate' }),
      "a proxy's 404": (received) => answer(received, 404, '<html>Not Found</html>'),
      'a 200 that is no JSON': (received) => answer(received, 200, '<html>Welcome</html>'),
      'a 200 that is another thing': (received) => answer(received, 200, { hello: 'world' }),
      'a redirect': (received) => answer(received, 302, '', { location: '/elsewhere' }),
      silence: () => {},
    };

    for (const [fault, onRequest] of Object.entries(faults)) {
      test(`${fault} is unavailable, and proves nothing`, async () => {
        const server = await start(onRequest);
        const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: 500 });
        const unavailable = { kind: 'unavailable', detail: expect.stringMatching(/\S/) };
        const query = { to: request.to, from: null, since: new Date() };
        const { account } = vendor;
        const outcomes = await Promise.all([
          adapter.findSent(account, query),
          adapter.fetchMessage(account, `SM${'0'.repeat(32)}`),
          adapter.configureInbound(account, request.to, 'https://x.example/'),
          adapter.verifyAccount(account),
        ]);
        expect(outcomes).toMatchObject([unavailable, unavailable, 'unavailable', { ok: false }]);
      });
    }
  });

  describe(`${name}: probes`, () => {
    const faults: [string, (received: ReceivedRequest) => void, ProbeOutcome['kind']][] = [
      ['a reset', ({ socket }) => void socket.resetAndDestroy(), 'failed'],
      ['a 500', (received) => answer(received, 500, { code: 20500, message: 'Error' }), 'failed'],
      ["a proxy's 400", (received) => answer(received, 400, '<html>No</html>'), 'failed'],
      ['silence', () => {}, 'failed'],
      ['a 401', (received) => answer(received, 401, { code: 20003, message: 'No' }), 'refused'],
      ['a 429', (received) => answer(received, 429, { code: 20429, message: 'Slow' }), 'failed'],
      [
        'a refusal',
        (received) => answer(received, 400, { code: 21604, message: 'To' }),
        'answered',
      ],
    ];
    test.each(faults)('%s', async (_fault, onRequest, kind) => {
      const server = await start(onRequest);
      const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: 500 });
      expect(await adapter.probe(vendor.account)).toMatchObject({ kind });
      expect(server.requests).toHaveLength(1);
    });
  });

  test(`${name}: under a storm of faults no call is misread, and none is made twice`, async () => {
    const faults: ((received: ReceivedRequest) => void)[] = [
      accept,
      accept,
      (received) => {
        accept(received);
        received.socket.destroy();
      },
      ({ socket }) => void socket.resetAndDestroy(),
      ({ socket }) => void socket.end(),
      (received) => answer(received, 500, ''),
      (received) => answer(received, 429, { code: 20429 }),
      () => {},
    ];
    let turn = 0;
    const server = await start(
      (received) => faults[(turn = (turn * 13 + 5) % 1_009) % faults.length]?.(received),
      {
        onConnection(socket) {
          if (server.connections % 5 === 0) socket.resetAndDestroy();
        },
      },
    );
    const adapter = createAdapter({ apiUrl: server.url, maxConnections: 8, callTimeoutMs: 1_500 });
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const to = `+1555${String(index).padStart(7, '0')}`;
        const mayWrite = () => index % 11 !== 0;
        return { to, outcome: await adapter.send(vendor.account, { ...request, to }, mayWrite) };
      }),
    );

    const seen = new Map<string, number>();
    for (const { body } of server.requests) {
      const to = outcomes.find((item) => body.includes(encodeURIComponent(item.to)))?.to ?? '';
      seen.set(to, (seen.get(to) ?? 0) + 1);
    }
    expect(seen.has('')).toBe(false);
    expect([...seen.values()].every((count) => count === 1)).toBe(true);
    for (const { to, outcome } of outcomes) {
      const arrived = seen.has(to);
      if (outcome.kind === 'accepted') expect(arrived).toBe(true);
      if (outcome.kind === 'not_sent') expect(arrived).toBe(outcome.reason === 'throttled');
    }
    const kinds = new Set(outcomes.map(({ outcome }) => outcome.kind));
    expect(kinds).toEqual(new Set(['accepted', 'unknown', 'not_sent']));
  });
}
