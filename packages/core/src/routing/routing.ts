import type { SenderKind } from './sender-kind.ts';

/** A sender of an account: a number, a short code or an alphanumeric sender ID. */
export interface AccountSender {
  number: string;
  kind: SenderKind;
  isDefault: boolean;
}

/** A provider account of a workspace, as far as routing uses it. */
export interface RoutedAccount {
  id: string;
  /** The vendor's identifier of the account. */
  vendorAccountId: string;
  /** The type of its provider. */
  type: string;
  isDefault: boolean;
  /** Disabled, or its provider refuses the credentials or does not respond: it sends nothing now. */
  isPaused: boolean;
  /** Milliseconds since its circuit breaker closed; null if it was never open. */
  recoveredForMs: number | null;
  /** The provider selects a sender if a message has none. */
  hasSenderPool: boolean;
  senders: readonly AccountSender[];
  /** Sends only text, no media. Default: false. */
  isTextOnly?: boolean;
  /** The provider currently throttles it, so other accounts are used first. Default: false. */
  isThrottled?: boolean;
}

/** The accounts of a rule share its messages by their weights. */
export interface RoutingRule {
  /**
   * The start of the recipient's number. The longest matching prefix wins; `''` matches every
   * number.
   */
  prefix: string;
  providers: readonly { providerId: string; weight: number }[];
}

/** How the messages of a workspace are shared among its accounts. */
export interface Routing {
  accounts: readonly RoutedAccount[];
  rules: readonly RoutingRule[];
  /** Whether a message may go to an account other than its own. */
  failover: boolean;
}

/** Finds the rule for a recipient; null if none matches. */
export function findRule(rules: readonly RoutingRule[], to: string): RoutingRule | null {
  let found: RoutingRule | null = null;
  for (const rule of rules) {
    if (to.startsWith(rule.prefix) && rule.prefix.length >= (found?.prefix.length ?? 0))
      found = rule;
  }
  return found;
}
