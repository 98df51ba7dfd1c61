import {
  type Clock,
  type DispatchHint,
  type RoutedMessage,
  chooseRoute,
  listRoutes,
  mayChangeAccount,
} from '@switchboard/core';
import type { ClaimHint, RouteReader, WorkspaceRoutes } from '@switchboard/database';

export type Choice = NonNullable<ClaimHint['choice']>;

type AttemptedMessage = Omit<RoutedMessage, 'conversationSender'> & { workspaceId: string };

/** Where messages go next. */
export interface Routes {
  /**
   * Chooses the account and the sender of the next attempt. Undefined: the workspace has one account.
   * `wait`: no account may send the message now, or it is not ready.
   */
  choose(hint: DispatchHint): Promise<Choice | undefined | 'wait'>;
  /** Chooses this account, even if it is paused. `wait`: the message must not go there. */
  chooseAccount(hint: DispatchHint, providerId: string): Promise<Choice | undefined | 'wait'>;
  /**
   * Lists the provider's ids of the accounts that may send the message now. `isFresh`: reads the accounts
   * again, because one may have been added since.
   */
  listAlternatives(message: AttemptedMessage, how?: { isFresh: boolean }): Promise<string[]>;
  /** Lists the provider's ids of all accounts of a workspace. */
  listAccounts(workspaceId: string): Promise<string[]>;
  /** Whether all messages of the workspace wait if this account does. */
  isOnlyAccount(workspaceId: string): boolean;
  /** Avoids an account, which its provider throttles, for some time in this process. */
  avoid(providerId: string, forMs: number): void;
  /** Reads the accounts again for the next message, because one of them has just changed. */
  forget(workspaceId: string): void;
}

/** For so long, a worker may use an account that another one has paused: the claim checks it again. */
export const KEPT_FOR_MS = 1_000;
const KEPT_MAX = 1_000;

export function createRoutes(deps: {
  reader: RouteReader;
  clock: Pick<Clock, 'monotonic'>;
}): Routes {
  const { reader, clock } = deps;
  // In the order in which they were read.
  const kept = new Map<
    string,
    { at: number; routes: Promise<WorkspaceRoutes>; isPlain: boolean }
  >();

  const throttledUntil = new Map<string, number>();

  async function read(workspaceId: string): Promise<WorkspaceRoutes> {
    const known = kept.get(workspaceId);
    if (known !== undefined && clock.monotonic() - known.at < KEPT_FOR_MS) return known.routes;
    const routes = reader.readRoutes(workspaceId);
    const entry = { at: clock.monotonic(), routes, isPlain: known?.isPlain ?? true };
    kept.delete(workspaceId);
    kept.set(workspaceId, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
    try {
      entry.isPlain = (await routes).isPlain;
    } catch (error) {
      if (kept.get(workspaceId) === entry) kept.delete(workspaceId);
      throw error;
    }
    return routes;
  }

  /** Avoids throttled accounts as long as others may send. */
  function coolDown(routes: WorkspaceRoutes): WorkspaceRoutes {
    const now = clock.monotonic();
    const accounts = routes.accounts.map((account) => {
      const until = throttledUntil.get(account.id);
      if (until === undefined) return account;
      if (until <= now) throttledUntil.delete(account.id);
      return until > now ? { ...account, isPaused: true } : account;
    });
    return { ...routes, accounts };
  }

  function forget(workspaceId: string): void {
    const known = kept.get(workspaceId);
    if (known !== undefined) known.at = -Infinity;
  }

  return {
    async choose({ messageId, workspaceId }) {
      const routes = await read(workspaceId);
      if (routes.isPlain) return undefined;
      const message = await reader.readMessage(messageId);
      if (message === null) return 'wait';
      // Its account was removed: the claim finds none, and the message fails in the end.
      if (!mayChangeAccount(message) && listRoutes(routes, message).length === 0) return undefined;
      const route = chooseRoute(coolDown(routes), message) ?? chooseRoute(routes, message);
      if (route === null) return 'wait';
      return { providerId: route.account.id, from: route.from, version: message.version };
    },

    async chooseAccount({ messageId, workspaceId }, providerId) {
      const routes = await read(workspaceId);
      if (routes.isPlain) return undefined;
      const message = await reader.readMessage(messageId);
      const all = message === null ? [] : listRoutes(routes, message);
      const route = all.find(({ account }) => account.id === providerId);
      if (message === null || route === undefined) return 'wait';
      return { providerId, from: route.from, version: message.version };
    },

    async listAlternatives({ workspaceId, ...message }, { isFresh } = { isFresh: false }) {
      if (isFresh) forget(workspaceId);
      const routes = await read(workspaceId);
      if (routes.isPlain) return [];
      return listRoutes(routes, { ...message, conversationSender: null })
        .filter(({ account }) => !account.isPaused)
        .map(({ account }) => account.account);
    },

    async listAccounts(workspaceId) {
      return (await read(workspaceId)).accounts.map(({ account }) => account);
    },

    avoid(providerId, forMs) {
      throttledUntil.set(providerId, clock.monotonic() + forMs);
    },

    isOnlyAccount: (workspaceId) => kept.get(workspaceId)?.isPlain ?? true,

    forget,
  };
}
