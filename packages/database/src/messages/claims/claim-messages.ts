import type { OnUnknown } from '@switchboard/core';
import type pg from 'pg';
import { anyLength } from '../../array-parameter.ts';
import { COUNTS_ITSELF } from '../events/count-changes.ts';
import { findOptedOutForms, hasErasedOptOuts, hasOptedOut } from '../../opt-outs/opt-out-forms.ts';
import { type SessionClaims, isCallable } from './session-claims.ts';
import { defineRows, defineStatement } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';
import { dispatchRowColumns, type TraceableRow } from '../rows/dispatch-row-columns.ts';
import type { MediaItem } from '../rows/stored-message.ts';

/** The provider account of a row's latest attempt. The secret is still encrypted. */
export interface RowProvider {
  id: string;
  type: string;
  vendorAccountId: string;
  sealedSecret: string;
  senderPool: string | null;
  onUnknown: OnUnknown;
  /** The provider refuses these credentials, so only a trial is sent with them. */
  isRefused: boolean;
  /** The provider has accepted these credentials before. */
  isVerified: boolean;
  /** The account's circuit breaker is open, so only a trial is sent. */
  isFailing: boolean;
}

export interface Claim {
  workspaceId: string;
  messageId: string;
  /** The account to send with, as routing chose it for a version of the row. Default: the default account. */
  choice?: { providerId: string; from: string | null; version: number };
}

export interface ClaimedMessage extends TraceableRow {
  to: string;
  body: string;
  media: MediaItem[];
  /** Null if the workspace no longer has the account. */
  provider: RowProvider | null;
  /** The recipient opted out after the message was accepted, so it must not be sent. */
  isSuppressed: boolean;
}

interface ClaimedRow extends Omit<ClaimedMessage, 'isSuppressed'> {
  /** The number itself has opted out. */
  isOptedOut: boolean;
  /** The workspace has opt-outs of erased people. */
  hasErased: boolean;
  ignoresOptOut: boolean;
}

// With this compare-and-set, any number of duplicate hints causes one provider call per attempt. The
// lease uses the database's clock. A message whose last resend is based on weak evidence is claimed only
// for the account that gave the evidence. `started_at` stays at the first attempt that the provider may have
// accepted, so that a lookup after a resend still finds that attempt. Messages of a refused or failing
// account wait, except for its trial.
const CLAIMS = defineRows<Claim>(
  'i',
  {
    workspace_id: ['uuid', (c) => c.workspaceId],
    id: ['uuid', (c) => c.messageId],
    provider_id: ['uuid', (c) => c.choice?.providerId ?? null],
    sender: ['text', (c) => c.choice?.from ?? null],
    version: ['int', (c) => c.choice?.version ?? null],
  },
  { isAnyLength: true },
);

const CLAIM = defineStatement(
  {
    name: 'claim_messages',
    growsWith: ['message_progress', 'message_records'],
    text: `
WITH target AS (
  SELECT m.workspace_id, m.id, i.sender, p.id AS provider_id, p.name, p.type, p.vendor_account_id, p.sealed_secret,
    p.sender_pool, p.on_unknown,
    p.refused_since IS NOT NULL AS is_refused, p.failing_since IS NOT NULL AS is_failing,
    COALESCE(p.verified_credentials = p.sealed_secret, false) AS is_verified
  FROM (
      SELECT set_config('lock_timeout', :lockTimeoutMs::text, true), ${COUNTS_ITSELF}) AS limits,
    ${CLAIMS.unnest}
    JOIN message_progress m ON m.workspace_id = i.workspace_id AND m.id = i.id
    LEFT JOIN provider_accounts p ON p.workspace_id = m.workspace_id
      AND CASE WHEN i.provider_id IS NULL THEN p.is_default ELSE p.id = i.provider_id END
      AND (m.resends = m.proved_resends OR m.provider_id IS NULL
        OR (m.provider_id = p.id AND m.vendor_account_id = p.vendor_account_id))
  WHERE m.dispatch = 'ready' AND (i.version IS NULL OR i.version = m.version)
    AND (i.provider_id IS NULL OR p.id IS NOT NULL) AND p.enabled IS NOT FALSE
    AND (m.not_before IS NULL OR m.not_before <= now())
    AND (:isTrial::bool OR (p.refused_since IS NULL AND p.failing_since IS NULL))
    AND ${isCallable(anyLength(':sessionTypes', 'text'), anyLength(':sessionProviders', 'uuid'))}
  ORDER BY m.id
  FOR UPDATE OF m
)
UPDATE message_progress m SET
  dispatch = 'inflight', version = m.version + 1, attempt = m.attempt + 1,
  due_at = now() + :leaseMs::int * interval '1 millisecond',
  first_attempt_at = COALESCE(m.first_attempt_at, now()),
  started_at = CASE WHEN m.resends > m.proved_resends THEN m.started_at ELSE now() END,
  provider_id = COALESCE(p.provider_id, m.provider_id),
  vendor_account_id = COALESCE(p.vendor_account_id, m.vendor_account_id),
  "from" = COALESCE(p.sender, m."from"),
  -- The next event of the message takes it over.
  attempt_started_at = now(),
  attempt_detail = concat('Attempt ', m.attempt + 1, ' with ' || COALESCE(NULLIF(p.name, ''), p.type))
FROM target p JOIN message_records r ON r.workspace_id = p.workspace_id AND r.id = p.id
WHERE m.workspace_id = p.workspace_id AND m.id = p.id
RETURNING ${dispatchRowColumns('r')}, m."to", r.body, r.media,
  CASE WHEN p.type IS NULL THEN NULL ELSE json_build_object(
    'id', p.provider_id, 'type', p.type, 'vendorAccountId', p.vendor_account_id,
    'sealedSecret', p.sealed_secret,
    'senderPool', p.sender_pool,
    'onUnknown', p.on_unknown,
    'isRefused', p.is_refused, 'isFailing', p.is_failing,
    'isVerified', p.is_verified) END AS provider,
  r.ignores_opt_out AS "ignoresOptOut",
  COALESCE(${hasOptedOut('m.workspace_id', 'ARRAY[m."to"]')}, false) AS "isOptedOut",
  ${hasErasedOptOuts('m.workspace_id')} AS "hasErased"`,
  },
  {
    rows: CLAIMS,
    values: ['leaseMs', 'isTrial', 'lockTimeoutMs', 'sessionTypes', 'sessionProviders'] as const,
  },
);

/**
 * Claims the messages that are ready and due, and returns them. With `isTrial`, it also claims
 * messages of a refused or failing account.
 */
export async function claimMessages(
  pool: pg.Pool,
  claims: readonly Claim[],
  options: {
    leaseMs: number;
    lockTimeoutMs: number;
    isTrial: boolean;
    sessions: SessionClaims;
  },
): Promise<ClaimedMessage[]> {
  const { leaseMs, lockTimeoutMs, isTrial, sessions } = options;
  const values = {
    leaseMs,
    isTrial,
    lockTimeoutMs: String(lockTimeoutMs),
    sessionTypes: sessions.types,
    sessionProviders: sessions.providerIds,
  };
  const rows = await runStatement<ClaimedRow>(pool, CLAIM, CLAIM.toValues(claims, values));
  const held = rows.map(({ workspaceId, to, hasErased }) => ({
    workspaceId,
    number: to,
    hasErased,
  }));
  const optedOut = await findOptedOutForms(pool, held);
  return rows.map(({ isOptedOut, ignoresOptOut, hasErased: _hasErased, ...row }, index) => ({
    ...row,
    isSuppressed: !ignoresOptOut && (isOptedOut || optedOut[index] === true),
  }));
}
