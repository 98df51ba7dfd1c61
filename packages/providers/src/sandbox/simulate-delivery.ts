import type { MessageStatus, ProviderMessage } from '@switchboard/core';
import { magicErrorText, magicOutcomeOf } from './magic-numbers.ts';

/** What the sandbox reports about a message, some time after it accepted the message. */
interface Report {
  status: MessageStatus;
  errorCode: string | null;
  /** In how many milliseconds the sandbox reports another status; null if it never does. */
  nextInMs: number | null;
}

const END_MS = 1_000;
const SLOW_MS = 10_000;

const FINAL = { errorCode: null, nextInMs: null };

function reportAfter(to: string, elapsedMs: number): Report {
  const outcome = magicOutcomeOf(to);
  // A refused number is never accepted.
  if (outcome === null || outcome.kind === 'refused') return { status: 'delivered', ...FINAL };
  if (outcome.kind === 'receipt_lost') return { status: 'sent', ...FINAL };
  const endMs = outcome.kind === 'slow' ? SLOW_MS : END_MS;
  if (elapsedMs < endMs) return { status: 'sent', errorCode: null, nextInMs: endMs - elapsedMs };
  return outcome.kind === 'undelivered'
    ? { status: 'undelivered', errorCode: String(outcome.code), nextInMs: null }
    : { status: outcome.kind === 'read' ? 'read' : 'delivered', ...FINAL };
}

/**
 * The identifier of a message at the sandbox has everything that its reports follow from, so that any process can
 * make them and none is lost with a process: the message, the time of acceptance and a magic recipient. The number of
 * a person is not part of it, because it is kept when the person is erased.
 */
const SID = /^SB([0-9a-f]{32})([0-9a-z]{9})x([0-9]{1,15})$/;

export function createSid(messageId: string, acceptedAtMs: number, to: string): string {
  const time = acceptedAtMs.toString(36).padStart(9, '0');
  const recipient = magicOutcomeOf(to) === null ? '0' : to.slice(1);
  return `SB${messageId.replaceAll('-', '')}${time}x${recipient}`;
}

/** Returns the sandbox's report about a message. Null if it did not create the identifier. */
export function reportMessage(
  vendorAccountId: string,
  sid: string,
  nowMs: number,
): ProviderMessage | null {
  const [, , time, digits] = SID.exec(sid) ?? [];
  if (time === undefined || digits === undefined) return null;
  const acceptedAt = Number.parseInt(time, 36);
  const to = `+${digits}`;
  const { status, errorCode, nextInMs } = reportAfter(to, Math.max(0, nowMs - acceptedAt));
  return {
    sid,
    vendorAccountId,
    status,
    rawStatus: status,
    to,
    from: null,
    body: null,
    segments: null,
    mediaCount: null,
    errorCode,
    errorDetail: errorCode === null ? null : magicErrorText(Number(errorCode)),
    isOptOut: false,
    direction: 'outbound',
    createdAt: new Date(acceptedAt),
    ...(nextInMs !== null && { nextReportInMs: nextInMs }),
  };
}
