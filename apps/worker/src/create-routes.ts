import {
  type Clock,
  type DispatchHint,
  type RoutedAccount,
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
   * Lists the ids of the accounts that may send the message now. `isFresh`: reads the
   * accounts again, because one may have been added. `isUnthrottled`: without those that would send it
   * no sooner than a throttled account.
   */
  listAlternatives(
    message: AttemptedMessage,
    how?: { isFresh?: boolean; isUnthrottled?: boolean },
  ): Promise<string[]>;
  /** Lists all accounts of a workspace. */
  listAccounts(workspaceId: string): Promise<readonly RoutedAccount[]>;
  /** Whether all messages of the workspace wait if this account does. */
  isOnlyAccount(workspaceId: string): boolean;
  /** Reads the accounts again for the next message, because one of them has just changed. */
  forget(workspaceId: string): void;
}

/**
 * A worker may choose an account for this long after another worker has paused it, because the
 * claim checks the account again.
 */
export const KEPT_FOR_MS = 1_000;
const KEPT_MAX = 1_000;
/** With failover, a message waits no longer for the pace of a throttled account if another one may send it. */
const LONGEST_WAIT_MS = 1_000;

export function createRoutes(dependencies: {
  reader: RouteReader;
  /** The types of providers that send no media. */
  textOnlyTypes: readonly string[];
  /** Returns how long a message would wait for the pace of the account, in milliseconds. */
  measureWait(workspaceId: string, providerId: string): number;
  clock: Pick<Clock, 'monotonic'>;
}): Routes {
  const { reader, textOnlyTypes, clock } = dependencies;
  // In the order in which they were read.
  const kept = new Map<
    string,
    { at: number; routes: Promise<WorkspaceRoutes>; isPlain: boolean }
  >();

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

  function isThrottled(workspaceId: string, { id }: { id: string }): boolean {
    return dependencies.measureWait(workspaceId, id) > LONGEST_WAIT_MS;
  }

  function markThrottled(workspaceId: string, routes: WorkspaceRoutes): WorkspaceRoutes {
    const accounts = routes.accounts.map((account) => ({
      ...account,
      isThrottled: isThrottled(workspaceId, account),
    }));
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
      const message = await reader.readMessage({ workspaceId, id: messageId });
      if (message === null) return 'wait';
      // The message's account was removed. The claim finds no account, and the message fails
      // permanently.
      if (!mayChangeAccount(message) && listRoutes(routes, message).length === 0) return undefined;
      const route = chooseRoute(markThrottled(workspaceId, routes), message);
      if (route === null) return 'wait';
      return { providerId: route.account.id, from: route.from, version: message.version };
    },

    async chooseAccount({ messageId, workspaceId }, providerId) {
      const routes = await read(workspaceId);
      if (routes.isPlain) return undefined;
      const message = await reader.readMessage({ workspaceId, id: messageId });
      const all = message === null ? [] : listRoutes(routes, message);
      const route = all.find(({ account }) => account.id === providerId);
      if (message === null || route === undefined) return 'wait';
      return { providerId, from: route.from, version: message.version };
    },

    async listAlternatives(
      { workspaceId, media = [], ...message },
      { isFresh, isUnthrottled } = {},
    ) {
      if (isFresh === true) forget(workspaceId);
      const routes = await read(workspaceId);
      if (routes.isPlain) return [];
      const hasMedia = media.length > 0;
      return listRoutes(routes, { ...message, hasMedia, conversationSender: null })
        .filter(({ account }) => !account.isPaused)
        .filter(({ account }) => isUnthrottled !== true || !isThrottled(workspaceId, account))
        .map(({ account }) => account.id);
    },

    async listAccounts(workspaceId) {
      return (await read(workspaceId)).accounts;
    },

    isOnlyAccount: (workspaceId) => kept.get(workspaceId)?.isPlain ?? true,

    forget,
  };
}
