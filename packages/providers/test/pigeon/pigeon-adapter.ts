import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  MessageStatus,
  ProviderAccount,
  ProviderAdapter,
  ProviderMessage,
  WebhookOutcome,
  WebhookRequest,
} from '@switchboard/core';

/** A message in the format of the invented vendor. */
interface PigeonNote {
  note: string;
  loft: string;
  state: 'perched' | 'flown' | 'landed' | 'lost';
  reason?: string;
  to: string;
  from: string;
  text: string;
  reference?: string;
}

const STATES: Record<PigeonNote['state'], MessageStatus> = {
  perched: 'queued',
  flown: 'sent',
  landed: 'delivered',
  lost: 'failed',
};
const OPT_OUT_CODE = 'no_more_pigeons';

/**
 * An adapter for a vendor that shares nothing with the others: JSON, a bearer token, an HMAC over
 * the body, a reference in the callback's body, and no message lookup.
 */
export function createPigeonAdapter({ apiUrl }: { apiUrl: string | null }): ProviderAdapter {
  const call = (account: ProviderAccount, path: string, body?: object) =>
    fetch(`${apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${account.secret}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const pathOf = (providerId: string, kind: string) => `/api/webhooks/pigeon/${providerId}/${kind}`;

  return {
    type: 'pigeon',
    evidence: { idempotencyKey: false, referenceInCallback: true },
    callsProveAccount: true,
    sendsMedia: true,
    optOutCodes: [OPT_OUT_CODE],
    readCredentials: ({ loft, token }) => ({
      account: { vendorAccountId: String(loft), secret: String(token), senderPool: null },
      secretLast4: String(token).slice(-4),
    }),
    describeCredentials: ({ vendorAccountId: loft, secret }) => ({
      loft,
      token_last4: secret.slice(-4),
    }),

    async send(account, request, mayWrite) {
      if (!mayWrite()) {
        const detail = 'The lease expired before the request was written';
        return {
          kind: 'not_sent',
          reason: 'lease_expired',
          retryAfterMs: null,
          code: null,
          detail,
        };
      }
      try {
        const response = await call(account, '/notes', {
          to: request.to,
          from: request.from,
          text: request.body,
          reference: request.messageId,
          callback: request.statusUrl,
        });
        const note = (await response.json()) as PigeonNote;
        if (response.ok) return { kind: 'accepted', message: toMessage(note) };
        const code = note.reason ?? 'refused';
        return { kind: 'rejected', code, detail: 'No', isOptOut: code === OPT_OUT_CODE };
      } catch (error) {
        return { kind: 'unknown', detail: String(error) };
      }
    },
    probe: async () => ({ kind: 'answered' }),
    async verifyAccount(account) {
      const { ok } = await call(account, '/loft');
      return {
        ok,
        isRefused: !ok,
        isUnavailable: false,
        detail: ok ? 'The loft is known.' : 'The loft is not known.',
      };
    },
    close: async () => undefined,

    lookUp: null,
    async fetchMessage(account, sid) {
      const response = await call(account, `/notes/${sid}`);
      if (!response.ok) return { kind: 'missing' };
      return { kind: 'found', message: toMessage((await response.json()) as PigeonNote) };
    },
    webhooks: {
      paths: {
        status: pathOf(':providerId', 'status'),
        inbound: pathOf(':providerId', 'inbound'),
      },
      contentTypes: ['application/json'],
      inboundReply: { contentType: 'application/json', body: '{"coo":true}' },
      toStatusUrl: (publicUrl, { providerId }) => publicUrl + pathOf(providerId, 'status'),
      toInboundUrl: (publicUrl, { providerId }) => publicUrl + pathOf(providerId, 'inbound'),
      hasSignature: ({ headers }) => typeof headers['x-pigeon-ring'] === 'string',
      readStatusCallback: (account, request) =>
        read(account, request, (note) => {
          const {
            sid,
            vendorAccountId: loft,
            status,
            rawStatus,
            from,
            errorCode,
            isOptOut,
          } = toMessage(note);
          const messageId = note.reference ?? null;
          const error = { errorCode, errorDetail: null, isOptOut };
          return { messageId, sid, vendorAccountId: loft, status, rawStatus, from, ...error };
        }),
      readInbound: (account, request) =>
        read(account, request, ({ note, loft, to, from, text }) => ({
          sid: note,
          vendorAccountId: loft,
          to,
          from,
          body: text,
          media: [],
          segments: 1,
          providerKeyword: null,
        })),
    },
    redactMessage: null,
    fetchMedia: null,
    sessions: null,
    inboundList: null,
    listNumbers: null,
    configureInbound: async () => 'configured',
  };
}

function read<Content>(
  account: ProviderAccount,
  { headers, body }: WebhookRequest,
  convert: (note: PigeonNote) => Content,
): WebhookOutcome<Content> {
  const expected = createHmac('sha256', account.secret).update(body).digest('hex');
  const signature = Buffer.from(String(headers['x-pigeon-ring']));
  const isSame = signature.length === expected.length;
  if (!isSame || !timingSafeEqual(signature, Buffer.from(expected))) return { kind: 'forged' };
  const note = JSON.parse(Buffer.from(body).toString()) as PigeonNote;
  return note.loft === account.vendorAccountId
    ? { kind: 'read', content: convert(note) }
    : { kind: 'forged' };
}

function toMessage(note: PigeonNote): ProviderMessage {
  const { reason = null } = note;
  return {
    sid: note.note,
    vendorAccountId: note.loft,
    status: STATES[note.state],
    rawStatus: note.state,
    to: note.to,
    from: note.from,
    body: note.text,
    segments: null,
    mediaCount: null,
    errorCode: reason,
    errorDetail: null,
    isOptOut: reason === OPT_OUT_CODE,
    direction: 'outbound',
    createdAt: null,
  };
}
