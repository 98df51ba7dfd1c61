import type { ProbeOutcome } from '@switchboard/core';
import { describe, expect, test } from 'vitest';
import {
  respond,
  formatResponse,
  LOCALHOST_CERTIFICATE,
  type ReceivedRequest,
} from '../fault-server.ts';
import { type AdapterContract } from './open-contract.ts';

/** Tests how the adapter classifies responses to sends, lookups and probes. */
export function describeResponses(contract: AdapterContract): void {
  const { vendor, createAdapter, start, send, accept, give, request } = contract;
  const { errors } = vendor;

  describe(`${contract.name}: responses`, () => {
    test('a response with an identifier is accepted, also over TLS', async () => {
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

    test('a 429 is reported as throttled, with its Retry-After', async () => {
      const { status, body } = errors.throttled;
      const server = await start(({ socket }) => {
        socket.end(formatResponse(status, body, { 'retry-after': '7' }));
      });
      expect(await send(createAdapter({ apiUrl: server.url }))).toMatchObject({
        kind: 'not_sent',
        reason: 'throttled',
        retryAfterMs: 7_000,
      });
      expect(server.requests).toHaveLength(1);
    });

    test('refused credentials are reported as such', async () => {
      const server = await start(give(errors.credentials));
      const outcome = await send(createAdapter({ apiUrl: server.url }));
      expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'credentials' });
    });

    test('a permanent refusal is a rejection with its code, after one request', async () => {
      const server = await start(give(errors.refused));
      const outcome = await send(createAdapter({ apiUrl: server.url }));
      expect(outcome).toEqual({
        kind: 'rejected',
        code: expect.stringMatching(/\S/),
        detail: expect.stringMatching(/\S/),
        isOptOut: false,
      });
      expect(server.requests).toHaveLength(1);
    });

    const { optedOut, accountOnly } = errors;
    if (optedOut !== null) {
      test('a refusal because of an opt-out is reported as an opt-out, with a code that the adapter lists', async () => {
        const server = await start(give(optedOut));
        const adapter = createAdapter({ apiUrl: server.url });
        const outcome = await send(adapter);
        expect(outcome).toMatchObject({ kind: 'rejected', isOptOut: true });
        expect(adapter.optOutCodes).toContain((outcome as { code: string }).code);
      });
    }

    if (accountOnly !== null) {
      test('a refusal that concerns only the account is reported as such', async () => {
        const server = await start(give(accountOnly));
        const outcome = await send(createAdapter({ apiUrl: server.url }));
        expect(outcome).toMatchObject({ kind: 'rejected', isOptOut: false, isAccountOnly: true });
      });
    }
  });

  describe(`${contract.name}: lookups`, () => {
    const faults: Record<string, (received: ReceivedRequest) => void> = {
      'a reset': ({ socket }) => void socket.resetAndDestroy(),
      'a 500': give(errors.internal),
      'a 429': give(errors.throttled),
      'a 401': give(errors.credentials),
      "a proxy's 404": (received) => respond(received, 404, '<html>Not Found</html>'),
      'a 200 that is not JSON': (received) => respond(received, 200, '<html>Welcome</html>'),
      'a 200 with an unrelated object': (received) => respond(received, 200, { hello: 'world' }),
      'a redirect': (received) => respond(received, 302, '', { location: '/elsewhere' }),
      silence: () => {},
    };

    for (const [fault, onRequest] of Object.entries(faults)) {
      test(`a lookup is unavailable after ${fault}`, async () => {
        const server = await start(onRequest);
        const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs: 500 });
        const unavailable = { kind: 'unavailable', detail: expect.stringMatching(/\S/) };
        const { messageId, to } = request;
        const query = { messageId, to, from: null, since: new Date() };
        const { account } = vendor;
        const outcomes = await Promise.all([
          // What an adapter cannot do has no response to misread.
          adapter.lookUp?.findSent(account, query) ?? { ...unavailable, detail: '-' },
          adapter.fetchMessage?.(account, `SM${'0'.repeat(32)}`) ?? { ...unavailable, detail: '-' },
          adapter.configureInbound?.(account, request.to, 'https://x.example/') ?? 'manual',
          adapter.verifyAccount(account),
          adapter.listNumbers?.(account, 'https://x.example/') ?? { ...unavailable, detail: '-' },
        ]);
        const verified = vendor.isVerifiedByMessagesOnly ? {} : { ok: false };
        expect(outcomes).toMatchObject([
          unavailable,
          unavailable,
          expect.stringMatching(/^(unavailable|manual)$/),
          verified,
          { ...unavailable, kind: expect.stringMatching(/^(unavailable|refused)$/) },
        ]);
      });
    }
  });

  describe(`${contract.name}: probes`, () => {
    const faults: [string, (received: ReceivedRequest) => void, ProbeOutcome['kind']][] = [
      ['a reset', ({ socket }) => void socket.resetAndDestroy(), 'failed'],
      ['a 500', give(errors.internal), 'failed'],
      [
        "a proxy's 400",
        (received) => respond(received, 400, '<html>No</html>'),
        // Such a vendor may have no other response to a request that sends nothing.
        vendor.isVerifiedByMessagesOnly ? 'answered' : 'failed',
      ],
      ['silence', () => {}, 'failed'],
      ['a 401', give(errors.credentials), 'refused'],
      ['a 429', give(errors.throttled), 'throttled'],
      ['a refusal', give(errors.refused), 'answered'],
    ];
    test.each(faults)(
      'a probe that receives %s has the matching outcome',
      async (fault, onRequest, kind) => {
        const server = await start(onRequest);
        const callTimeoutMs = fault === 'silence' ? 500 : 20_000;
        const adapter = createAdapter({ apiUrl: server.url, callTimeoutMs });
        expect(await adapter.probe(vendor.account)).toMatchObject({ kind });
        expect(server.requests).toHaveLength(1);
      },
    );
  });
}
