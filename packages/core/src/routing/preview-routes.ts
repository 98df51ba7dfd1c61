import { type Route, chooseRoute, listWeights } from './choose-account.ts';
import { type Routing, findRule } from './routing.ts';

/** Where a new message would go now. */
export interface RoutePreview {
  /** The prefix of the rule for the recipient; null if no rule matches. */
  prefix: string | null;
  /** The largest share first. The shares add up to 1. Empty if the message would wait. */
  routes: (Route & { share: number })[];
}

/**
 * Computes where a new message to a recipient would go now: all routes that its rule may select, each with
 * its share. An account that has just recovered counts with its whole share.
 */
export function previewRoutes(
  routing: Routing,
  message: { to: string; from: string | null; conversationSender: string | null },
): RoutePreview {
  const fresh = {
    ...message,
    id: '',
    attempt: 0,
    resends: 0,
    provedResends: 0,
    providerId: null,
    vendorAccountId: null,
    failedAccounts: [],
    hasMedia: false,
  };
  const steady = {
    ...routing,
    accounts: routing.accounts.map((account) => ({ ...account, recoveredForMs: null })),
  };
  const shares = new Map<string, RoutePreview['routes'][number]>();
  for (const { draw, share } of listDraws(listWeights(steady, message.to))) {
    const route = chooseRoute(steady, fresh, draw);
    if (route === null) continue;
    const before = shares.get(route.account.id)?.share ?? 0;
    shares.set(route.account.id, { ...route, share: before + share });
  }
  return {
    prefix: findRule(routing.rules, message.to)?.prefix ?? null,
    routes: [...shares.values()].toSorted((a, b) => b.share - a.share),
  };
}

/** Returns one draw for each account of the rule, with the part of all draws that selects this account. */
function listDraws(weighted: readonly { weight: number }[]): { draw: number; share: number }[] {
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  // The accounts of the rule were removed.
  if (total === 0) return [{ draw: 0, share: 1 }];
  let before = 0;
  return weighted.flatMap(({ weight }) => {
    const draw = (before + weight / 2) / total;
    before += weight;
    return weight === 0 ? [] : [{ draw, share: weight / total }];
  });
}
