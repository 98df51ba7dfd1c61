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

type AttemptedMessage = Omit<RoutedMessage, 'conversationSender' | 'hasMedia'> & {
  workspaceId: string;
  /** Absent if the media were not read. Then accounts that send only text count too. */
  media?: readonly unknown[];
};

/** Chooses the account for the next attempt of a message. */
export interface Routes {
  /**
   * Chooses the account and the sender for the next attempt. Returns undefined if the workspace has
   * only one account, and `wait` if no account may send the message now or the message is not
   * ready.
   */
  choose(hint: DispatchHint): Promise<Choice | undefined | 'wait'>;
  /**
   * Chooses this account, even if it is paused. Returns `wait` if this account must not send the
   * message.
   */
  chooseAccount(hint: DispatchHint, providerId: string): Promise<Choice | undefined | 'wait'>;
  /**
   * Lists the provider's ids of the accounts that may send the message now. `isFresh`: reads the
   * accounts again, because one may have been added.
   */
  listAlternatives(message: AttemptedMessage, how?: { isFresh: boolean }): Promise<string[]>;
  /** Lists the provider's ids of all accounts of a workspace. */
  listAccounts(workspaceId: string): Promise<string[]>;
  /** Whether all messages of the workspace wait if this account does. */
  isOnlyAccount(workspaceId: string): boolean;
  /** Avoids an account for some time in this process, because its provider throttles it. */
  avoid(providerId: string, forMs: number): void;
  /** Reads the accounts again for the next message, because one of them has just changed. */
  forget(workspaceId: string): void;
}

/**
 * A worker may choose an account for this long after another worker has paused it, because the
 * claim checks the account again.
 */
export const KEPT_FOR_MS = 1_000;
const KEPT_MAX = 1_000;

export function createRoutes(deps: {
  reader: RouteReader;
  /** The types of providers that send no media. */
  textOnlyTypes: readonly string[];
  clock: Pick<Clock, 'monotonic'>;
}): Routes {
  const { reader, textOnlyTypes, clock } = deps;
  // In the order in which they were read.
  const kept = new Map<
    string,
    { at: number; routes: Promise<WorkspaceRoutes>; isPlain: boolean }
  >();

  const throttledUntil = new Map<string, number>();

  async function read(workspaceId: string): Promise<WorkspaceRoutes> {
    const known = kept.get(workspaceId);
    if (known !== undefined && clock.monotonic() - known.at < KEPT_FOR_MS) return known.routes;
    const routes = readRoutes(workspaceId);
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

  async function readRoutes(workspaceId: string): Promise<WorkspaceRoutes> {
    const routes = await reader.readRoutes(workspaceId);
    const accounts = routes.accounts.map((account) => ({
      ...account,
      isTextOnly: textOnlyTypes.includes(account.type),
    }));
    return { ...routes, accounts };
  }

  function markThrottled(routes: WorkspaceRoutes): WorkspaceRoutes {
    const now = clock.monotonic();
    const accounts = routes.accounts.map((account) => {
      const until = throttledUntil.get(account.id) ?? 0;
      if (until <= now) throttledUntil.delete(account.id);
      return { ...account, isThrottled: until > now };
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
      // The message's account was removed. The claim finds no account, and the message fails
      // permanently.
      if (!mayChangeAccount(message) && listRoutes(routes, message).length === 0) return undefined;
      const route = chooseRoute(markThrottled(routes), message);
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

    async listAlternatives(
      { workspaceId, media = [], ...message },
      { isFresh } = { isFresh: false },
    ) {
      if (isFresh) forget(workspaceId);
      const routes = await read(workspaceId);
      if (routes.isPlain) return [];
      const hasMedia = media.length > 0;
      return listRoutes(routes, { ...message, hasMedia, conversationSender: null })
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
