import type { ProviderMessage } from '../../src/ports/provider-message.ts';
import type { CallOutcome } from '../../src/ports/send-outcome.ts';
import { type DispatchPolicy, gapsOf } from '../../src/dispatch/dispatch-policy.ts';
import type { DispatchRow } from '../../src/dispatch/dispatch-row.ts';

export const policy: DispatchPolicy = {
  unknownLookupsMs: gapsOf([120, 240, 600]),
  unknownReceiptMs: 400,
  pollsMs: gapsOf([60, 300]),
  backoffMs: 1_000,
  backoffCapMs: 300_000,
  credentialsBackoffMs: 60_000,
  probeCapMs: 60_000,
  giveUpAfterMs: 86_400_000,
  random: () => 1,
};

export function row(fields: Partial<DispatchRow> = {}): DispatchRow {
  return {
    id: 'm1',
    workspaceId: 'w1',
    version: 7,
    attempt: 1,
    onUnknown: 'resend',
    triedForMs: 1_000,
    inDoubtForMs: 1_000,
    isInProgress: true,
    dispatch: 'inflight',
    resends: 0,
    provedResends: 0,
    failedAccounts: [],
    lookups: 0,
    status: 'queued',
    providerStatus: null,
    providerSid: null,
    providerId: 'AC1',
    vendorAccountId: 'AC1',
    sidAdopted: false,
    from: '+2',
    errorCode: null,
    errorDetail: null,
    errorStatus: null,
    ...fields,
  };
}

/** The account's id and the vendor's identifier of it are equal, so that tests need name only one of them. */
export function message(fields: Partial<ProviderMessage> = {}) {
  return {
    sid: 'SM1',
    providerId: fields.vendorAccountId ?? 'AC1',
    vendorAccountId: 'AC1',
    status: 'queued' as ProviderMessage['status'],
    rawStatus: 'queued',
    to: '+1',
    from: '+2',
    body: 'text',
    segments: 1,
    mediaCount: 0,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
    direction: 'outbound' as const,
    createdAt: new Date(1_000),
    ...fields,
  };
}

const notSent = { kind: 'not_sent', retryAfterMs: null, code: null, detail: 'no' } as const;
export const OUTCOMES = {
  accepted: { kind: 'accepted', message: message() },
  unknown: { kind: 'unknown', detail: 'reset' },
  rejected: { kind: 'rejected', code: '21211', detail: 'bad', isOptOut: false },
  withheld: { kind: 'withheld', code: 'recipient_opted_out', detail: 'opted out' },
  unreachable: { ...notSent, reason: 'unreachable' },
  lease_expired: { ...notSent, reason: 'lease_expired' },
  throttled: { ...notSent, reason: 'throttled', retryAfterMs: 5_000 },
  busy: { ...notSent, reason: 'busy' },
  credentials: { ...notSent, reason: 'credentials' },
} satisfies Record<string, CallOutcome>;
