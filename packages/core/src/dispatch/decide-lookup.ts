import type { LookUpOutcome } from '../ports/provider-adapter.ts';
import type { DispatchPolicy } from './dispatch-policy.ts';
import { type Decision, type DispatchRow, NO_CHANGE, createChange } from './dispatch-row.ts';
import { learnIdentifier } from './evidence.ts';

/** Rows with the same recipient and body that may be any of the candidates, this one left out. */
export interface Rivals {
  /** In flight, or unknown with look-ups still to come. */
  undecided: number;
  /** Unknown, and past their hold. */
  held: number;
}

/** What keeps a look-up from proving anything. */
export interface Doubts {
  /**
   * Messages to that number in the window that no row accounts for, with another text or number of
   * media, that may be this one after a change of the provider's.
   */
  altered: number;
  /** Rows with the same text and as many media, but other ones: not interchangeable with this. */
  otherMedia: number;
}

const NO_DOUBTS: Doubts = { altered: 0, otherMedia: 0 };

/**
 * A look-up of an unknown outcome. `candidates` holds only messages that no row holds, of the
 * right recipient, body and sender, and young enough.
 *
 * A look-up is weak evidence: of two equal texts it can't tell whose is whose. So a candidate is
 * adopted only where every row that could claim one gets one; or, once all such rows are past
 * their hold, until the candidates are used up: the rest were not sent.
 *
 * An empty look-up proves absence only if nothing in the window could be the message: a text that
 * the provider has changed never equals ours.
 */
export function decideLookUp(
  row: DispatchRow,
  candidates: LookUpOutcome,
  rivals: Rivals,
  policy: DispatchPolicy,
  doubts: Doubts = NO_DOUBTS,
): Decision {
  if (row.dispatch !== 'unknown') return NO_CHANGE;
  const lookups = row.lookups + 1;
  const nextGapMs = policy.unknownLookupsMs[lookups];
  const lastGapMs = policy.unknownLookupsMs.at(-1) ?? 0;

  if (candidates.kind === 'unavailable') {
    // No evidence either way; a provider that can't be asked must not be sent to again.
    if (row.inDoubtForMs >= policy.giveUpAfterMs) return giveUp(row);
    return waitAgain(row, row.lookups, lastGapMs, candidates.detail);
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
      return learnIdentifier(row, oldest, policy, {
        adopted: true,
        detail: 'Found by a look-up at the provider',
      });
    }
    return waitAgain(row, lookups, nextGapMs ?? lastGapMs, 'Several messages could be this one');
  }

  if (doubts.altered > 0) {
    if (holdIsOver) return giveUp(row, `Not sent again: ${ALTERED}`);
    return waitAgain(row, lookups, nextGapMs, `Not decided yet: ${ALTERED}`);
  }
  if (!holdIsOver) return waitAgain(row, lookups, nextGapMs, 'Not found at the provider yet');
  if (row.attempt === 0) return sendAfterRestore(row);
  if (row.onUnknown === 'fail' || row.resends > 0) return giveUp(row);
  return createChange(row, {
    fields: { dispatch: 'ready', resends: row.resends + 1, lookups: 0 },
    notBeforeInMs: 0,
    dueInMs: 0,
    event: {
      type: 'attempt_failed',
      detail: 'Not found at the provider after the hold: sending again',
    },
  });
}

/**
 * The row was ready when its database was backed up, and is not at the provider: it was not sent
 * since. That is no attempt in doubt, so neither the one resend nor the workspace's choice counts.
 */
function sendAfterRestore(row: DispatchRow): Decision {
  return createChange(row, {
    fields: { dispatch: 'ready', lookups: 0 },
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
  'the provider has a message to this number with a changed text or other media that may be this one';
const OTHER_MEDIA =
  'the provider has a message with this text that may be this one or one with other media';

function giveUp(row: DispatchRow, detail: string | null = null): Decision {
  return createChange(row, {
    fields: {
      dispatch: 'unresolved',
      status: 'failed',
      errorCode: 'outcome_unknown',
      errorDetail: 'The provider may or may not have sent this message; nothing proves either',
    },
    dueInMs: null,
    event: { type: 'status_changed', detail },
  });
}
