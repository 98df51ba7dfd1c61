import type { AccountSender, RoutedAccount } from './routing.ts';
import { type SenderKind, readCountryCode } from './sender-kind.ts';

/**
 * Chooses the sender of an account for a message. If the message has a sender of another account
 * (`like`), the new sender must have the same kind and country code. Returns undefined if no sender
 * fits, and null if the account's sender pool selects one.
 */
export function chooseSender(
  account: Pick<RoutedAccount, 'senders' | 'hasSenderPool'>,
  { to, like }: { to: string; like: { number: string; kind: SenderKind | null } | null },
): string | null | undefined {
  const fitting = account.senders.filter(
    ({ number, kind }) =>
      like === null ||
      (kind === like.kind && readCountryCode(number) === readCountryCode(like.number)),
  );
  const best = fitting.toSorted((a, b) => rank(b, to) - rank(a, to))[0];
  if (best !== undefined) return best.number;
  return like === null && account.hasSenderPool ? null : undefined;
}

function rank({ number, isDefault }: AccountSender, to: string): number {
  const country = readCountryCode(number);
  return (country !== null && country === readCountryCode(to) ? 2 : 0) + (isDefault ? 1 : 0);
}
