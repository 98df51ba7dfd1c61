import type { WebhookRequest } from '@switchboard/core';
import { describe, expect, test } from 'vitest';
import { type AdapterContract } from './open-contract.ts';
import { requirePart } from '../require-part.ts';

const MESSAGE_ID = '0197a000-0000-7000-8000-000000000002';
const SID = 'b448f9cca842478498e903c1a5872950';
const ADDRESS = {
  workspaceId: '0197a000-0000-7000-8000-000000000003',
  providerId: '0197a000-0000-7000-8000-000000000004',
};
const TO = '+15551234567';
const FROM = '+15557654321';

const textOf = ({ body }: WebhookRequest) => Buffer.from(body).toString();

/** Tests that webhooks count only with the account's signature, and how they are parsed. */
export function describeWebhooks(contract: AdapterContract): void {
  const { vendor, createAdapter } = contract;
  const { account, otherAccount, webhooks } = vendor;
  const adapterOf = () => createAdapter({ apiUrl: 'http://127.0.0.1:9' });
  const webhooksOf = () => requirePart(adapterOf(), 'webhooks');
  const report = { kind: 'status', sid: SID, messageId: MESSAGE_ID } as const;
  const delivered = { ...report, rawStatus: webhooks.delivered };
  const inbound = { kind: 'inbound', sid: SID, to: FROM, from: TO, text: 'Hi' } as const;

  describe(`${contract.name}: webhooks`, () => {
    test('a signed status callback identifies its message and contains the provider’s identifier', () => {
      const request = webhooks.sign(account, delivered, Date.now());
      const provider = webhooksOf();
      expect(provider.hasSignature(request)).toBe(true);
      expect(provider.readStatusCallback(account, request)).toMatchObject({
        kind: 'read',
        content: {
          messageId: MESSAGE_ID,
          sid: SID,
          vendorAccountId: account.vendorAccountId,
          status: 'delivered',
          rawStatus: webhooks.delivered,
          errorCode: null,
          isOptOut: false,
        },
      });
    });

    test('a signed inbound message is read, with numbers in our format', () => {
      const request = webhooks.sign(account, inbound, Date.now());
      expect(webhooksOf().readInbound(account, request)).toMatchObject({
        kind: 'read',
        content: {
          sid: SID,
          vendorAccountId: account.vendorAccountId,
          to: FROM,
          from: TO,
          body: 'Hi',
          media: [],
          segments: 1,
          providerKeyword: null,
        },
      });
    });

    const forgeries: Record<string, (request: WebhookRequest) => WebhookRequest> = {
      'without a header': (request) => ({ ...request, headers: {} }),
      'with a changed body': (request) => ({
        ...request,
        body: Buffer.from(textOf(request).replace(SID.slice(-4), '0000')),
      }),
      'with an added character': (request) => ({
        ...request,
        body: Buffer.from(`${textOf(request)} `),
      }),
      'with an empty signature': (request) => ({
        ...request,
        headers: Object.fromEntries(Object.keys(request.headers).map((name) => [name, ''])),
      }),
      'with repeated headers': (request) => ({
        ...request,
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            [String(value), String(value)],
          ]),
        ),
      }),
    };
    test.each(Object.entries(forgeries))('a webhook %s is treated as forged', (_name, forge) => {
      const provider = webhooksOf();
      const at = Date.now();
      const status = forge(webhooks.sign(account, delivered, at));
      const received = forge(webhooks.sign(account, inbound, at));
      expect(provider.readStatusCallback(account, status)).toEqual({ kind: 'forged' });
      expect(provider.readInbound(account, received)).toEqual({ kind: 'forged' });
    });

    test('a webhook without a signature is recognized before anything is read', () => {
      const { headers } = webhooks.sign(account, delivered, Date.now());
      const provider = webhooksOf();
      expect(provider.hasSignature({ headers: {} })).toBe(false);
      expect(provider.hasSignature({ headers: { 'content-type': headers['content-type'] } })).toBe(
        false,
      );
    });

    test('a webhook that another account has signed is treated as forged', () => {
      const provider = webhooksOf();
      const at = Date.now();
      const status = webhooks.sign(otherAccount, delivered, at);
      const received = webhooks.sign(otherAccount, inbound, at);
      expect(provider.readStatusCallback(account, status)).toEqual({ kind: 'forged' });
      expect(provider.readInbound(account, received)).toEqual({ kind: 'forged' });
      expect(provider.readInbound(otherAccount, received)).toMatchObject({ kind: 'read' });
    });

    test('a signature is valid for as long as clocks may differ and the provider may retry, and no longer', () => {
      const provider = webhooksOf();
      const kindAt = (at: number) =>
        provider.readStatusCallback(account, webhooks.sign(account, delivered, at)).kind;
      const { past, future } = webhooks.toleranceMs ?? { past: 1e12, future: 1e12 };
      const slackMs = 10_000;
      const now = Date.now();
      expect(kindAt(now - past + slackMs)).toBe('read');
      expect(kindAt(now + future - slackMs)).toBe('read');
      if (webhooks.toleranceMs === null) return;
      expect(kindAt(now - past - slackMs)).toBe('forged');
      expect(kindAt(now + future + slackMs)).toBe('forged');
    });

    test('an unknown status is kept unchanged, without a status of the service', () => {
      const request = webhooks.sign(account, { ...report, rawStatus: 'teleported' }, Date.now());
      expect(webhooksOf().readStatusCallback(account, request)).toMatchObject({
        kind: 'read',
        content: { status: null, rawStatus: 'teleported' },
      });
    });

    test('an error code for an opt-out is reported as an opt-out', () => {
      const adapter = adapterOf();
      for (const errorCode of adapter.optOutCodes) {
        const content = { ...report, rawStatus: webhooks.delivered, errorCode };
        const request = webhooks.sign(account, content, Date.now());
        expect(requirePart(adapter, 'webhooks').readStatusCallback(account, request)).toMatchObject(
          {
            kind: 'read',
            content: { errorCode, isOptOut: true },
          },
        );
      }
    });

    test('a signed webhook without an identifier is invalid, with an error that names the parameter', () => {
      const provider = webhooksOf();
      const { sid: _status, ...callback } = delivered;
      const { sid: _inbound, ...received } = inbound;
      const at = Date.now();
      for (const outcome of [
        provider.readStatusCallback(account, webhooks.sign(account, callback, at)),
        provider.readInbound(account, webhooks.sign(account, received, at)),
      ]) {
        expect(outcome).toMatchObject({
          kind: 'invalid',
          error: { code: 'missing_params', message: expect.stringMatching(/`\w+`/) },
        });
      }
    });

    test('NUL and lone surrogates in a received text are replaced, because PostgreSQL cannot store them', () => {
      const request = webhooks.sign(account, { ...inbound, text: 'a\0b' }, Date.now());
      expect(webhooksOf().readInbound(account, request)).toMatchObject({
        kind: 'read',
        content: { body: 'a\uFFFDb' },
      });
    });

    test('the URLs that the provider receives match the paths of the routes', () => {
      const provider = webhooksOf();
      const { paths } = provider;
      const fill = (path: string) =>
        path
          .replace(':workspaceId', ADDRESS.workspaceId)
          .replace(':providerId', ADDRESS.providerId);
      const attempt = { ...ADDRESS, messageId: MESSAGE_ID, attempt: 2 };
      const statusUrl = new URL(provider.toStatusUrl('https://x.example', attempt));
      expect(statusUrl.pathname).toBe(fill(paths.status));
      expect(statusUrl.search).toBe(`?message=${MESSAGE_ID}&attempt=2`);
      const inboundUrl = new URL(provider.toInboundUrl('https://x.example', ADDRESS));
      expect(inboundUrl.pathname).toBe(fill(paths.inbound));
    });
  });
}
