import { MEDIA_MAX_BYTES, type ProviderAdapter, createUuidV7 } from '@switchboard/core';

import type { AdapterOptions } from '../adapter-options.ts';
import { createCheckedFetch } from '../http/fetch-checked.ts';
import { magicErrorText, magicOutcomeOf } from './magic-numbers.ts';
import { createSid, reportMessage } from './simulate-delivery.ts';

/**
 * Creates an adapter that sends nothing: every message is delivered in this process, except to magic numbers, which
 * have other outcomes. All messages of test mode use it, and a workspace can be tested with it, without a vendor. It
 * calls no webhooks. The route for received messages of test mode takes the place of a provider that receives.
 */
export function createSandboxAdapter(options: AdapterOptions): ProviderAdapter {
  const { isAllowedAddress, proxy, callTimeoutMs } = options;
  const fetchChecked = createCheckedFetch({
    timeoutMs: callTimeoutMs,
    maxBytes: MEDIA_MAX_BYTES,
    proxy,
    ...(isAllowedAddress !== undefined && { isAllowedAddress }),
  });

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
    async send({ vendorAccountId }, request, mayWrite) {
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
      const { to, from, body, mediaUrls } = request;
      const outcome = magicOutcomeOf(to);
      if (outcome?.kind === 'refused') {
        // Not an opt-out: the number has the same outcome every time.
        const detail = magicErrorText(outcome.code) ?? '';
        return { kind: 'rejected', code: String(outcome.code), detail, isOptOut: false };
      }
      const now = Date.now();
      const report = reportMessage(vendorAccountId, createSid(request.messageId, now, to), now);
      if (report === null) throw new Error('the sandbox cannot read its own identifier');
      return {
        kind: 'accepted',
        message: { ...report, to, from, body, mediaCount: mediaUrls.length },
      };
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
    async fetchMessage({ vendorAccountId }, sid) {
      const message = reportMessage(vendorAccountId, sid, Date.now());
      return message === null ? { kind: 'missing' } : { kind: 'found', message };
    },
    webhooks: null,
    // Nothing of a message is kept.
    redactMessage: async () => ({ kind: 'redacted' }),
    fetchMedia: (_account, url) => fetchChecked(url, { authorization: '', isTrusted: () => false }),
    sessions: null,
    inboundList: null,
    listNumbers: null,
    // The sandbox has no numbers.
    configureInbound: async () => 'not_owned',
  };
}
