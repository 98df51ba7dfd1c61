import type { DispatchRow } from '../dispatch/dispatch-row.ts';
import { toSidKey, withoutOwner } from '../dispatch/provider-identifier.ts';
import { isFinalStatus } from '../message-status.ts';
import type { StatusCallback } from '../ports/status-callback.ts';

/** A message whose identifier a callback may name. */
export type PossibleHolder = Pick<DispatchRow, 'status' | 'providerSid'> & { to: string };

/** The shortest number that can be compared without its country code. */
const MIN_DIGITS = 7;

/**
 * Chooses the message that a callback means, of those with one of its identifier's forms, oldest first. If
 * several fit, these settle it, in this order: the addresses of the callback, the form that the account's
 * settings expect, the same spelling, and, for messages with the same identifier, time. Null if several
 * identifiers still fit, or none.
 */
export function chooseHolder<Row extends PossibleHolder>(
  possible: readonly Row[],
  { sid, match }: Pick<StatusCallback, 'sid' | 'match'>,
): Row | null {
  const { expectedKey = null, addresses = [] } = match ?? {};
  const numbers = addresses.map(toDigits).filter((digits) => digits.length >= MIN_DIGITS);
  const isRecipient = ({ to }: Row): boolean => numbers.some((number) => isSameNumber(number, to));
  // A message that is final may have another number's report only if no address contradicts that.
  const fits = possible.filter(
    (row) => numbers.length === 0 || isRecipient(row) || !isFinalStatus(row.status),
  );
  const steps: ((row: Row) => boolean)[] = [
    isRecipient,
    ({ providerSid }) => toSidKey(providerSid ?? '') === expectedKey,
    ({ providerSid }) => withoutOwner(providerSid ?? '') === sid,
  ];
  const rest = steps.reduce<readonly Row[]>(narrow, fits);
  const keys = new Set(rest.map(({ providerSid }) => toSidKey(providerSid ?? '')));
  if (keys.size > 1) return null;
  return rest.find(({ status }) => !isFinalStatus(status)) ?? rest.at(-1) ?? null;
}

function narrow<Row>(rows: readonly Row[], fits: (row: Row) => boolean): readonly Row[] {
  const found = rows.filter(fits);
  return found.length > 0 ? found : rows;
}

function isSameNumber(digits: string, number: string): boolean {
  const [short = '', long = ''] = [digits, toDigits(number)].toSorted(
    (a, b) => a.length - b.length,
  );
  return short.length >= MIN_DIGITS && long.endsWith(short);
}

/** Without the zeros of an international or national prefix. */
function toDigits(address: string): string {
  return address.replaceAll(/\D/g, '').replace(/^0+/, '');
}
