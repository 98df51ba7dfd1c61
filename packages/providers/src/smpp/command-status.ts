import type { SendOutcome } from '@switchboard/core';
import { type StatusName, nameStatus } from '@switchboard/smpp';

type Meaning =
  /** Certainly not sent; the same message may be accepted later. */
  | 'throttled'
  /** Certainly not sent: the SMSC does not regard this connection as bound. */
  | 'not_bound'
  /** Certainly not sent, because of the recipient or the text. */
  | 'rejected'
  /** The error does not say whether the message was sent. */
  | 'ambiguous';

/** All other errors refuse the message for a reason that may concern only this account. */
const MEANINGS: Partial<Record<string, Meaning>> = {
  ESME_RTHROTTLED: 'throttled',
  ESME_RMSGQFUL: 'throttled',
  ESME_RX_T_APPN: 'throttled',
  ESME_RINVBNDSTS: 'not_bound',
  ESME_RINVDSTADR: 'rejected',
  ESME_RINVMSGLEN: 'rejected',
  ESME_ROK: 'ambiguous',
  ESME_RSYSERR: 'ambiguous',
  ESME_RUNKNOWNERR: 'ambiguous',
} satisfies Partial<Record<StatusName, Meaning>>;

const TEXTS: Partial<Record<string, string>> = {
  ESME_RINVMSGLEN: 'the length of the message is invalid',
  ESME_RINVCMDLEN: 'the length of the command is invalid',
  ESME_RINVCMDID: 'it does not support the command',
  ESME_RINVBNDSTS: 'the connection is not bound for this command',
  ESME_RALYBND: 'the account already uses all of its binds',
  ESME_RSYSERR: 'the SMSC had an internal error',
  ESME_RINVSRCADR: 'the account may not use this sender',
  ESME_RINVDSTADR: 'the recipient is invalid',
  ESME_RBINDFAIL: 'the bind failed, possibly because the account already uses all of its binds',
  ESME_RINVPASWD: 'the password is wrong',
  ESME_RINVSYSID: 'the system ID is unknown',
  ESME_RMSGQFUL: 'the message queue is full',
  ESME_RINVESMCLASS: 'it does not support messages with this header',
  ESME_RSUBMITFAIL: 'it refuses the message',
  ESME_RINVSRCTON: 'the sender’s type of number is invalid',
  ESME_RINVSRCNPI: 'the sender’s numbering plan is invalid',
  ESME_RINVDSTTON: 'the recipient’s type of number is invalid',
  ESME_RINVDSTNPI: 'the recipient’s numbering plan is invalid',
  ESME_RINVSYSTYP: 'the system type is unknown',
  ESME_RTHROTTLED: 'the account exceeded its rate limit',
  ESME_RX_T_APPN: 'a temporary error',
  ESME_RX_P_APPN: 'a permanent error',
  ESME_RUNKNOWNERR: 'an unknown error',
} satisfies Partial<Record<StatusName, string>>;

/** Describes an error of the SMSC for the account's owner. */
export function explainStatus(status: number): string {
  const name = nameStatus(status);
  const text = TEXTS[name];
  return text === undefined
    ? `The SMSC responded with ${name}.`
    : `The SMSC responded with ${name}: ${text}.`;
}

/**
 * Classifies the status with which an SMSC responded to a submit_sm, other than acceptance. `throttleCodes` are
 * further statuses with which the account's SMSC refuses a message for the moment.
 */
export function classifyStatus(
  status: number,
  throttleCodes: readonly number[],
): Exclude<SendOutcome, { kind: 'accepted' }> {
  const code = nameStatus(status);
  const detail = explainStatus(status);
  const meaning: Meaning | undefined = throttleCodes.includes(status)
    ? 'throttled'
    : MEANINGS[code];
  switch (meaning) {
    case 'throttled':
      return { kind: 'not_sent', reason: 'throttled', retryAfterMs: null, code, detail };
    case 'not_bound':
      return { kind: 'not_sent', reason: 'unreachable', retryAfterMs: null, code: null, detail };
    case 'rejected':
      return { kind: 'rejected', code, detail, isOptOut: false };
    case 'ambiguous':
      return { kind: 'unknown', detail };
    case undefined:
      return { kind: 'rejected', code, detail, isOptOut: false, isAccountOnly: true };
  }
}

const REFUSED: ReadonlySet<string> = new Set<StatusName>([
  'ESME_RINVPASWD',
  'ESME_RINVSYSID',
  'ESME_RINVSYSTYP',
]);

/** Returns whether an error in response to a bind means that the credentials are wrong. */
export function refusesCredentials(status: number): boolean {
  return REFUSED.has(nameStatus(status));
}
