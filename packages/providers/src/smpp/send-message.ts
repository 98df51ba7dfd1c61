import { setTimeout as delay } from 'node:timers/promises';

import type { ProviderAccount, ProviderMessage, SendOutcome, SendRequest } from '@switchboard/core';
import { type Pdu, type PduContent, type RequestResult, STATUS } from '@switchboard/smpp';

import { createAcceptedMessage } from '../create-accepted-message.ts';
import { withholdUnsendable } from '../withhold-unsendable.ts';
import { classifyStatus } from './command-status.ts';
import { type SmppSettings, openSettings } from './credentials.ts';
import { formatSubmit } from './format-submit.ts';
import { readMessageId } from './message-id.ts';
import type { SessionPool, TakeOutcome } from './session-pool.ts';
import type { Timings } from './timings.ts';

export interface SendDependencies {
  pool: SessionPool;
  callTimeoutMs: number;
  timings: Pick<Timings, 'throttledPauseMs'>;
}

type Refusal = Exclude<SendOutcome, { kind: 'accepted' }>;

/** A message of which one or more parts are being sent. */
interface Sending {
  account: ProviderAccount;
  request: SendRequest;
  settings: SmppSettings;
  /** The slot in the window of the bind that is used. */
  taken: Extract<TakeOutcome, { kind: 'taken' }>;
  /** Takes a slot of another bind, or of the next one. Returns false if there is none in time. */
  changeBind(): Promise<boolean>;
  mayWrite(): boolean;
  /** The time of `performance.now()` at which the first part must have been responded to. */
  deadline: number;
  callTimeoutMs: number;
  /** Reports whether the SMSC throttles the next part, after earlier ones were accepted. */
  setThrottled(isThrottled: boolean): void;
}

const REASONS = { unbound: 'unreachable', refused: 'credentials', busy: 'busy' } as const;

/**
 * Connects the parts of a message. The reference starts at a random number, so that it differs
 * between processes that send to the same recipient.
 */
let lastReference = Math.floor(Math.random() * 256);

/**
 * Sends the parts of a message one after the other, each at most once unless the SMSC throttled it. After the
 * first part, it continues for as long as the lease permits, because the recipient would get only some of the
 * text. Never throws.
 */
export async function sendMessage(
  { pool, callTimeoutMs, timings }: SendDependencies,
  account: ProviderAccount,
  request: SendRequest,
  mayWrite: () => boolean,
): Promise<SendOutcome> {
  const settings = openSettings(account);
  if (settings === null) {
    return notSent('credentials', 'The credentials of the SMPP account are malformed.');
  }
  if (request.from === null) {
    return withholdUnsendable('no_sender', 'SMPP needs a sender, and the message has none.');
  }
  if (request.mediaUrls.length > 0) {
    return withholdUnsendable(
      'media_not_supported',
      'SMPP sends only text, and the message has media.',
    );
  }
  lastReference = (lastReference + 1) % 256;
  const pdus = formatSubmit(request, request.from, settings, lastReference);
  const deadline = performance.now() + callTimeoutMs;
  // The other half is for the responses: a message that is written at the last moment has an unknown outcome.
  const taken = await pool.take(account, settings, { timeoutMs: callTimeoutMs / 2 });
  if (taken.kind !== 'taken') return notSent(REASONS[taken.kind], taken.detail);
  const sending: Sending = {
    account,
    request,
    settings,
    taken,
    mayWrite,
    deadline,
    callTimeoutMs,
    setThrottled: (isThrottled) => pool.setThrottled(account, sending, isThrottled),
    async changeBind() {
      sending.taken.release();
      const changedBy = performance.now() + callTimeoutMs;
      // The next bind may fail at first.
      while (performance.now() + timings.throttledPauseMs < changedBy) {
        await delay(timings.throttledPauseMs);
        const timeoutMs = changedBy - performance.now();
        const next = await pool.take(account, settings, { timeoutMs, hasBegun: true });
        if (next.kind !== 'taken') continue;
        sending.taken = next;
        return true;
      }
      return false;
    },
  };
  try {
    return await sendParts(sending, pdus, timings.throttledPauseMs);
  } finally {
    sending.setThrottled(false);
    sending.taken.release();
  }
}

async function sendParts(
  sending: Sending,
  pdus: readonly PduContent[],
  throttledPauseMs: number,
): Promise<SendOutcome> {
  for (const [index, pdu] of pdus.entries()) {
    const isLast = index === pdus.length - 1;
    const response = await write(
      sending,
      pdu,
      // The worker retries a message whose first part was throttled.
      index === 0 ? null : throttledPauseMs,
      isLast ? (late) => reportLate(sending, late) : undefined,
    );
    if (isPdu(response) && isAccepted(response) && !isLast) continue;
    const outcome = isPdu(response) ? readOutcome(sending, response) : response;
    return index === 0 || outcome.kind === 'accepted'
      ? outcome
      : afterParts(index, pdus.length, outcome);
  }
  throw new Error('A message has at least one part');
}

function readOutcome(sending: Sending, response: Pdu): SendOutcome {
  if (!isAccepted(response)) return classify(response, sending.settings);
  const message = toMessage(sending, response.messageId);
  return message === null
    ? { kind: 'unknown', detail: 'The SMSC accepted the message without a readable identifier.' }
    : { kind: 'accepted', message };
}

/** A response that arrives after the call has ended proves that the SMSC accepted the message. */
function reportLate(sending: Sending, response: Pdu): void {
  const message = isAccepted(response) ? toMessage(sending, response.messageId) : null;
  if (message === null) return;
  const { messageId } = sending.request;
  // The receiver logs its failures. Without the report, the outcome stays unknown.
  void sending.taken.session.receiver.onStatus({ ...message, messageId }).catch(() => undefined);
}

/**
 * Writes a submit_sm and returns its response. While the SMSC throttles it, it is written again after a
 * pause, unless the pause is null. With a pause, it is also written over the next bind if this one ends before: parts
 * of a message need not use the same bind. Until it is accepted, no other message begins.
 */
async function write(
  sending: Sending,
  pdu: PduContent,
  throttledPauseMs: number | null,
  onLate?: (pdu: Pdu) => void,
): Promise<Pdu | Refusal> {
  const isFirst = throttledPauseMs === null;
  for (;;) {
    const restMs = isFirst ? sending.deadline - performance.now() : sending.callTimeoutMs;
    if (restMs <= 0) return notSent('unreachable', 'The time limit of the call was reached.');
    const expired = checkLease(sending);
    if (expired !== null) return expired;
    const result = await sending.taken.session.request(pdu, restMs, onLate);
    const isRepeatable = !isFirst && result.type === 'not_written';
    if (isRepeatable && (await sending.changeBind())) continue;
    if (result.type !== 'response') return toRefusal(result);
    if (isFirst) return result.pdu;
    const isThrottled = isNotAcceptedNow(result.pdu, sending.settings);
    sending.setThrottled(isThrottled);
    if (!isThrottled) return result.pdu;
    await delay(throttledPauseMs);
  }
}

/** Checks the lease immediately before the write, in the same tick. */
function checkLease({ taken: { session }, mayWrite }: Sending): Refusal | null {
  try {
    if (session.isHeld() && mayWrite()) return null;
    return notSent('lease_expired', 'The lease expired before the message was written.');
  } catch {
    return notSent('lease_expired', 'The lease could not be checked.');
  }
}

function classify({ status }: Pdu, { throttleCodes }: SmppSettings): Refusal {
  return classifyStatus(status, throttleCodes);
}

function isNotAcceptedNow(response: Pdu, settings: SmppSettings): boolean {
  const outcome = classify(response, settings);
  return outcome.kind === 'not_sent' && outcome.reason === 'throttled';
}

function toRefusal(result: Exclude<RequestResult, { type: 'response' }>): Refusal {
  if (result.type === 'not_written') {
    return notSent(
      'unreachable',
      'The connection to the SMSC ended before the message was written.',
    );
  }
  switch (result.reason) {
    case 'closed':
      return { kind: 'unknown', detail: 'The connection ended before the SMSC responded.' };
    case 'timeout':
      return { kind: 'unknown', detail: 'The SMSC did not respond in time.' };
    case 'mismatched': {
      const detail = 'The SMSC responded to another command.';
      return { kind: 'unknown', detail, isMismatched: true };
    }
  }
}

/** Earlier parts were accepted, so the SMSC has the message, or some of it. */
function afterParts(accepted: number, total: number, { detail }: { detail: string }): SendOutcome {
  const parts = accepted === 1 ? 'part 1' : `parts 1 to ${accepted}`;
  return { kind: 'unknown', detail: `The SMSC accepted ${parts} of ${total}, then: ${detail}` };
}

type Acceptance = Extract<Pdu, { messageId: string }>;

function isAccepted(response: Pdu): response is Acceptance {
  return response.command === 'submit_sm_resp' && response.status === STATUS.ESME_ROK;
}

function isPdu(response: Pdu | Refusal): response is Pdu {
  return 'command' in response;
}

/** Null if the identifier is not readable. */
function toMessage(sending: Sending, messageId: string): ProviderMessage | null {
  const { account, request } = sending;
  const sid = readMessageId(messageId);
  if (sid === null) return null;
  // SMSCs start to count again, for example after a restart.
  return { ...createAcceptedMessage(sid, account, request, 'ESME_ROK'), mayShareSid: true };
}

function notSent(
  reason: Extract<SendOutcome, { kind: 'not_sent' }>['reason'],
  detail: string,
): Extract<SendOutcome, { kind: 'not_sent' }> {
  return { kind: 'not_sent', reason, retryAfterMs: null, code: null, detail };
}
