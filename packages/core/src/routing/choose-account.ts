import { mayChangeAccount } from '../dispatch/change-account.ts';
import { chooseSender } from './choose-sender.ts';
import { readSenderKind } from './sender-kind.ts';
import { type RoutedAccount, type Routing, findRule } from './routing.ts';

/** A message as routing sees it. */
export interface RoutedMessage {
  /** Selects between accounts, in the same way for every attempt of the message. */
  id: string;
  to: string;
  hasMedia: boolean;
  /** The sender that the message has; null if the route selects it. */
  from: string | null;
  /** The sender of the latest message between the workspace and this recipient; null if there is none. */
  conversationSender: string | null;
  attempt: number;
  resends: number;
  provedResends: number;
  /** The account of the latest attempt. */
  providerId: string | null;
  /** The vendor's identifier of that account at that attempt. */
  vendorAccountId: string | null;
  failedAccounts: readonly string[];
}

export interface Route {
  account: RoutedAccount;
  /** Null if the account's sender pool selects the sender. */
  from: string | null;
}

/** How long an account that works again takes to get its whole share. */
export const RECOVERY_MS = 60_000;
const FIRST_SHARE = 0.1;

/**
 * Lists the routes that the message may take, the best one first, whether or not their accounts are
 * paused.
 *
 * A message whose last resend is based on weak evidence stays with its account. Otherwise the account of
 * its sender comes first, or the account of its conversation. For a message with neither, the
 * weights of the rule with the longest prefix choose the account. With failover, the other accounts of
 * the rule follow, if they have a sender of the same kind and country. A message with media goes to an
 * account that sends only text, which refuses it, if it can go to no other.
 *
 * @param draw a number from 0 to below 1 that selects among the accounts of the rule
 */
export function listRoutes(
  routing: Routing,
  message: RoutedMessage,
  draw = drawFor(message.id, 'share'),
): Route[] {
  const { accounts } = routing;
  if (!mayChangeAccount(message)) {
    const bound = accounts.filter(
      ({ id, vendorAccountId }) =>
        id === message.providerId && vendorAccountId === message.vendorAccountId,
    );
    return bound.map((account) => ({ account, from: message.from }));
  }
  const own = findOwnRoute(accounts, message);
  const like = own === null || own.from === null ? null : findSender(own.account, own.from);
  const toRoutes = (account: RoutedAccount): Route[] => {
    const from = chooseSender(account, { to: message.to, like });
    return from === undefined || account === own?.account ? [] : [{ account, from }];
  };
  const others = orderByShare(routing, message.to, draw).flatMap(toRoutes);
  const all = own === null ? others : [own, ...others];
  // A rule whose accounts have no sender must not keep messages forever.
  if (all.length === 0) return accounts.flatMap(toRoutes).slice(0, 1);
  if (!routing.failover) return all.slice(0, 1);
  const able = message.hasMedia ? all.filter(({ account }) => account.isTextOnly !== true) : all;
  return able.length > 0 ? able : all;
}

/** Finds the route with the sender that the message has, or that its conversation has. */
function findOwnRoute(
  accounts: readonly RoutedAccount[],
  { from, conversationSender }: RoutedMessage,
): Route | null {
  const known = from ?? conversationSender;
  if (known === null) return null;
  const account =
    accounts.find(({ senders }) => senders.some(({ number }) => number === known)) ??
    // A number that was removed after the message was accepted.
    (from === null ? undefined : accounts.find(({ isDefault }) => isDefault));
  return account === undefined ? null : { account, from: known };
}

function findSender({ senders }: RoutedAccount, number: string) {
  return senders.find((each) => each.number === number) ?? { number, kind: readSenderKind(number) };
}

/**
 * Chooses the route of the next attempt, of those that may be taken now. Accounts that have failed
 * since the last wait come last, because the message waits again after the last account has failed.
 * Throttled accounts come last among the others. Null if the message must wait.
 */
export function chooseRoute(routing: Routing, message: RoutedMessage, draw?: number): Route | null {
  const open = listRoutes(routing, message, draw).filter(({ account }) => !account.isPaused);
  const untried = open.filter(({ account }) => !message.failedAccounts.includes(account.id));
  const next = untried.length > 0 ? untried : open;
  const unthrottled = next.filter(({ account }) => account.isThrottled !== true);
  const usable = unthrottled.length > 0 ? unthrottled : next;
  // An account that works again gets its share back gradually.
  const recovery = drawFor(message.id, 'recovery');
  return usable.find(({ account }) => recovery < recoveredShare(account)) ?? usable[0] ?? null;
}

/**
 * Returns the fraction of its share that an account gets: 1, or less shortly after its recovery.
 */
export function recoveredShare({ recoveredForMs }: Pick<RoutedAccount, 'recoveredForMs'>): number {
  if (recoveredForMs === null) return 1;
  return Math.min(1, FIRST_SHARE + (1 - FIRST_SHARE) * (Math.max(0, recoveredForMs) / RECOVERY_MS));
}

/** Orders the accounts for a recipient: the one that its share selects first, then by weight. */
function orderByShare(routing: Routing, to: string, draw: number): RoutedAccount[] {
  const weighted = listWeights(routing, to);
  let rest = draw * weighted.reduce((sum, { weight }) => sum + weight, 0);
  const first = weighted.find(({ weight }) => (rest -= weight) < 0);
  return weighted
    .toSorted((a, b) => Number(b === first) - Number(a === first) || b.weight - a.weight)
    .map(({ account }) => account);
}

/** Lists the accounts of the rule for a recipient. Without a rule, the default account has all weight. */
export function listWeights(
  { accounts, rules }: Routing,
  to: string,
): { account: RoutedAccount; weight: number }[] {
  const rule = findRule(rules, to);
  if (rule === null) {
    return accounts.map((account) => ({ account, weight: account.isDefault ? 1 : 0 }));
  }
  return rule.providers.flatMap(({ providerId, weight }) => {
    const account = accounts.find(({ id }) => id === providerId);
    return account === undefined ? [] : [{ account, weight }];
  });
}

/** Returns a number from 0 to below 1, from a hash of the message (FNV-1a). */
function drawFor(messageId: string, use: string): number {
  let hash = 0x811c9dc5;
  for (const character of messageId + use) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  // The last characters would only affect the low bits.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return (hash >>> 0) / 2 ** 32;
}
