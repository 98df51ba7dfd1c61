import { type ProviderAdapter, type ProviderMessage, createUuidV7 } from '@switchboard/core';
import { createWebhookAddresses } from '../webhook-addresses.ts';

const TYPE = 'sandbox';

const addresses = createWebhookAddresses(TYPE, 'providerId');
const NO_MESSAGE = { kind: 'missing' } as const;

/**
 * Creates an adapter that sends nothing: every message is delivered immediately, in this process. A
 * workspace can be tested with it, without a vendor. It calls no webhooks and receives nothing.
 */
export function createSandboxAdapter(): ProviderAdapter {
  return {
    type: TYPE,
    evidence: { idempotencyKey: false, referenceInCallback: false, lookUp: 'by_reference' },
    callsProveAccount: true,
    sendsMedia: true,
    webhooks: null,
    inboundList: null,
    sessions: null,
    optOutCodes: [],
    readCredentials: () => ({
      account: { id: `sandbox-${createUuidV7(Date.now())}`, secret: '', senderPool: null },
      secretLast4: '',
    }),
    describeCredentials: () => ({}),
    toStatusUrl: addresses.toStatusUrl,
    toInboundUrl: addresses.toInboundUrl,
    async send(account, request, mayWrite) {
      if (!mayWrite()) {
        const detail = 'The lease expired before the message was sent';
        return {
          kind: 'not_sent',
          reason: 'lease_expired',
          retryAfterMs: null,
          code: null,
          detail,
        };
      }
      const message: ProviderMessage = {
        sid: `SB${request.messageId.replaceAll('-', '')}`,
        account: account.id,
        status: 'delivered',
        rawStatus: 'delivered',
        to: request.to,
        from: request.from,
        body: request.body,
        segments: null,
        mediaCount: request.mediaUrls.length,
        errorCode: null,
        errorDetail: null,
        isOptOut: false,
        direction: 'outbound',
        createdAt: new Date(),
      };
      return { kind: 'accepted', message };
    },
    probe: async () => ({ kind: 'answered' }),
    // A message whose outcome was lost was not sent, because the sandbox sends nothing.
    findSent: async () => ({ kind: 'found', messages: [] }),
    fetchMessage: async () => NO_MESSAGE,
    verifyAccount: async () => ({
      ok: true,
      isRefused: false,
      isUnavailable: false,
      detail: 'The sandbox sends nothing.',
    }),
    configureInbound: async () => 'not_owned',
    listNumbers: null,
    fetchMedia: async () => NO_MESSAGE,
    hasSignature: () => false,
    readStatusCallback: () => ({ kind: 'forged' }),
    readInbound: () => ({ kind: 'forged' }),
    close: async () => undefined,
  };
}
