import { type ProviderAdapter, type ProviderMessage, createUuidV7 } from '@switchboard/core';

/**
 * Creates an adapter that sends nothing: every message is delivered immediately, in this process. A
 * workspace can be tested with it, without a vendor. It calls no webhooks and receives nothing.
 */
export function createSandboxAdapter(): ProviderAdapter {
  return {
    type: 'sandbox',
    evidence: { idempotencyKey: false, referenceInCallback: false },
    callsProveAccount: true,
    sendsMedia: true,
    optOutCodes: [],
    readCredentials: () => ({
      account: {
        vendorAccountId: `sandbox-${createUuidV7(Date.now())}`,
        secret: '',
        senderPool: null,
      },
      secretLast4: '',
    }),
    describeCredentials: () => ({}),
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
        vendorAccountId: account.vendorAccountId,
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
    verifyAccount: async () => ({
      ok: true,
      isRefused: false,
      isUnavailable: false,
      detail: 'The sandbox sends nothing.',
    }),
    close: async () => undefined,

    // A message whose outcome was lost was not sent, because the sandbox sends nothing.
    lookUp: {
      proof: 'by_reference',
      findSent: async () => ({ kind: 'found', messages: [] }),
    },
    fetchMessage: null,
    webhooks: null,
    redactMessage: null,
    fetchMedia: null,
    sessions: null,
    inboundList: null,
    listNumbers: null,
    // The sandbox has no numbers.
    configureInbound: async () => 'not_owned',
  };
}
