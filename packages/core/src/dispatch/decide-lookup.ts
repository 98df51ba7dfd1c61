import type { LookUpOutcome, LookUpProof } from '../ports/message-look-up.ts';
import { mayChangeAccount } from './change-account.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import {
  type Decision,
  type DispatchFields,
  type DispatchRow,
  NO_CHANGE,
  createChange,
} from './dispatch-row.ts';
import type { RoutedAccount } from '../routing/routing.ts';
import { assignIdentifier } from './evidence.ts';

/** Other rows with the same recipient and body, which may also be one of the candidates. */
export interface Rivals {
  /** In flight, or unknown with lookups still to come. */
  undecided: number;
  /** Unknown, with their hold over. */
  held: number;
}

/** Reasons why a lookup proves nothing. */
export interface Doubts {
  /**
   * Messages to that number in the window that belong to no row and have another text or number of
   * media. Each may be this message after the provider changed it.
   */
  altered: number;
  /** Rows with the same text and number of media, but other media: not interchangeable with this row. */
  otherMedia: number;
}

/** Each of these resends follows a complete hold. */
const MAX_PROVED_RESENDS = 3;

const NO_DOUBTS: Doubts = { altered: 0, otherMedia: 0 };

/**
 * Decides what follows from a lookup of an unknown outcome. `candidates` holds only messages that
 * belong to no row and have the row's recipient, body and sender, from the time since its first
 * attempt.
 *
 * A lookup is weak evidence, because it can't assign two messages with equal texts. So a row adopts a
 * candidate only if there is one for every row that may claim one. Once the hold of all these rows is
 * over, rows adopt candidates until none is left: the remaining rows were not sent.
 *
 * An empty lookup proves that the message was not sent only if no message in the window could be it:
 * a text that the provider has changed never equals ours. A lookup by reference is proof by itself, so
 * the resend may go to another account, and may be repeated.
 */
export function decideLookUp(
  row: DispatchRow,
  candidates: LookUpOutcome,
  rivals: Rivals,
  policy: DispatchPolicy,
  {
    doubts = NO_DOUBTS,
    proof = 'by_content',
    unchecked = [],
    isWithoutEvidence = false,
    hasLookUp = true,
  }: {
    doubts?: Doubts;
    proof?: LookUpProof;
    /** After a restore: the workspace's other accounts, which may have sent the message as well. */
    unchecked?: readonly Pick<RoutedAccount, 'id' | 'vendorAccountId'>[];
    /** The provider can never show whether it has the message: see `defaultOnUnknown`. */
    isWithoutEvidence?: boolean;
    /** False if the message can never be looked up, so that only a late report can decide. */
    hasLookUp?: boolean;
  } = {},
): Decision {
  if (row.dispatch !== 'unknown') return NO_CHANGE;
  const lookups = row.lookups + 1;
  const nextGapMs = policy.unknownLookupsMs[lookups];
  const lastGapMs = policy.unknownLookupsMs.at(-1) ?? 0;

  if (candidates.kind === 'unavailable') {
    // There is no evidence either way. Without a lookup, a resend may send the message twice.
    if (isWithoutEvidence && mayRepeatBlindly(row, policy)) {
      return resend(
        row,
        'The provider can’t confirm the send. Sending the message once more, as the account’s settings allow.',
      );
    }
    const leftMs = measureWait(row, policy, hasLookUp);
    if (leftMs <= 0) return giveUp(row);
    return waitAgain(row, row.lookups, Math.min(lastGapMs, leftMs), candidates.detail);
  }

  const holdIsOver = nextGapMs === undefined;
  const oldest = candidates.messages.toSorted(
    (a, b) => (a.createdAt?.getTime() ?? 0) - (b.createdAt?.getTime() ?? 0),
  )[0];
  if (oldest !== undefined && doubts.otherMedia > 0) {
    if (holdIsOver) return giveUp(row, `Not sent again: ${OTHER_MEDIA}`);
    return waitAgain(row, lookups, nextGapMs, `Not decided yet: ${OTHER_MEDIA}`);
  }
  if (oldest !== undefined) {
    const claimants = 1 + rivals.undecided + rivals.held;
    const enoughForAll = candidates.messages.length >= claimants;
    if (enoughForAll || (holdIsOver && rivals.undecided === 0)) {
      return assignIdentifier(row, oldest, policy, {
        providerId: row.providerId,
        adopted: true,
        detail: 'Found by a lookup at the provider',
      });
    }
    return waitAgain(
      row,
      lookups,
      nextGapMs ?? lastGapMs,
      'Several messages at the provider could be this one',
    );
  }

  if (doubts.altered > 0) {
    if (holdIsOver) return giveUp(row, `Not sent again: ${ALTERED}`);
    return waitAgain(row, lookups, nextGapMs, `Not decided yet: ${ALTERED}`);
  }
  if (!holdIsOver) return waitAgain(row, lookups, nextGapMs, 'Not found at the provider yet');
  if (row.attempt === 0) return lookUpNext(row, unchecked) ?? sendAfterRestore(row);
  const isProved = proof === 'by_reference' && mayChangeAccount(row);
  const isLast = row.resends >= (isProved ? MAX_PROVED_RESENDS : 1);
  if (row.onUnknown === 'fail' || isLast) return giveUp(row);
  return resend(
    row,
    'Not found at the provider after the hold. Sending it again.',
    isProved
      ? {
          provedResends: row.provedResends + 1,
          failedAccounts: withOwn(row),
        }
      : {},
  );
}

/**
 * Returns how long to wait for evidence. After a failed lookup the next one may find the message, for
 * a day. Without any lookup, only a late report of the provider can come, for some minutes after the
 * hold. A message that waited in a backup may have been sent a moment before the restore.
 */
function measureWait(row: DispatchRow, policy: DispatchPolicy, hasLookUp: boolean): number {
  if (hasLookUp) return policy.giveUpAfterMs - row.inDoubtForMs;
  const inDoubtForMs = row.attempt === 0 ? row.triedForMs : row.inDoubtForMs;
  return holdOf(policy) + policy.unknownReceiptMs - inDoubtForMs;
}

function holdOf({ unknownLookupsMs }: DispatchPolicy): number {
  return unknownLookupsMs.reduce((sum, gap) => sum + gap, 0);
}

/**
 * Returns whether the owner of the account has chosen to send again without evidence, and the hold
 * is over. The message is sent again once, through the same account. A message that waited in a
 * backup has no attempt to repeat.
 */
function mayRepeatBlindly(row: DispatchRow, policy: DispatchPolicy): boolean {
  const isChosen = row.onUnknown === 'resend' && row.attempt > 0 && row.resends === 0;
  return isChosen && row.inDoubtForMs >= holdOf(policy);
}

function resend(row: DispatchRow, detail: string, fields: Partial<DispatchFields> = {}): Decision {
  return createChange(row, {
    fields: { dispatch: 'ready', resends: row.resends + 1, lookups: 0, ...fields },
    notBeforeInMs: 0,
    dueInMs: 0,
    event: { type: 'attempt_failed', detail },
  });
}

function withOwn({ failedAccounts, providerId }: DispatchRow): readonly string[] {
  return providerId === null ? failedAccounts : [...failedAccounts, providerId];
}

/** Continues with the next account that may have sent the message since the backup. Null if none is left. */
function lookUpNext(
  row: DispatchRow,
  unchecked: readonly Pick<RoutedAccount, 'id' | 'vendorAccountId'>[],
): Decision | null {
  if (!mayChangeAccount(row)) return null;
  const failedAccounts = withOwn(row);
  const next = unchecked.find(({ id }) => !failedAccounts.includes(id));
  if (next === undefined) return null;
  return createChange(row, {
    fields: {
      providerId: next.id,
      vendorAccountId: next.vendorAccountId,
      failedAccounts,
      lookups: 0,
    },
    dueInMs: 0,
    event: {
      type: 'outcome_unknown',
      detail: 'Not found at one provider account. Checking the next.',
    },
  });
}

/**
 * The row was ready when the database was backed up, and no account has the message: it has not
 * been sent since. No attempt is in doubt, so `resends` and `onUnknown` do not apply.
 */
function sendAfterRestore(row: DispatchRow): Decision {
  return createChange(row, {
    fields: { dispatch: 'ready', lookups: 0, failedAccounts: [] },
    notBeforeInMs: 0,
    dueInMs: 0,
    event: { type: 'attempt_failed', detail: 'Not sent before the database was restored' },
  });
}

function waitAgain(row: DispatchRow, lookups: number, dueInMs: number, detail: string): Decision {
  return createChange(row, {
    fields: { lookups },
    dueInMs,
    event: { type: 'outcome_unknown', detail },
  });
}

const ALTERED =
  'the provider has a message to this number that may be this one, with a changed text or other media';
const OTHER_MEDIA =
  'the provider has a message with this text that may be this one or one with other media';

function giveUp(row: DispatchRow, detail: string | null = null): Decision {
  return createChange(row, {
    fields: {
      dispatch: 'unresolved',
      status: 'failed',
      errorCode: 'outcome_unknown',
      errorDetail:
        'The provider may or may not have sent this message. There is no proof of either.',
    },
    dueInMs: null,
    event: { type: 'status_changed', detail },
  });
}
