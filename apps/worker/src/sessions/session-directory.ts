import type { SessionAccount } from '@switchboard/database';
import type { SessionLocation } from '../provider-sessions.ts';
import { type UsableAccount, countPlaces } from './usable-account.ts';
import { isReady } from './held-session.ts';

export type KnownAccount = UsableAccount | (SessionAccount & { resolved: null });

const HERE: SessionLocation = { kind: 'here' };

/** The accounts with sessions, as they were last read, and the sessions that this process holds. */
export interface SessionDirectory {
  replace(accounts: readonly KnownAccount[]): void;
  /** Returns undefined for an account that was not listed, which may be new. */
  get(providerId: string): KnownAccount | undefined;
  locate(providerId: string): SessionLocation;
  /** Does the same as `locate` for the only account of a workspace. */
  locateOnly(workspaceId: string): SessionLocation;
  /** Returns whether any worker has a bound session with the account. */
  isBound(providerId: string): boolean;
  /** Lists the ids of the accounts whose messages this process may claim. */
  listClaimable(): string[];
  /** Counts the sessions that workers hold, and those that enabled accounts still permit. */
  countPlaces(): { held: number; free: number };
  /** Lists the ids of workspaces whose messages only other processes can send. */
  listElsewhere(): string[];
}

export function createSessionDirectory(deps: {
  workerId: string;
  /**
   * Returns whether this process holds a session on which messages of the account can be sent now.
   */
  isReadyHere(providerId: string): boolean;
}): SessionDirectory {
  const { workerId, isReadyHere } = deps;
  let accounts = new Map<string, KnownAccount>();
  let onlyAccounts = new Map<string, KnownAccount>();

  /**
   * An account without readable credentials has no session: any worker claims its messages and
   * refuses them.
   */
  const isClaimable = ({ id, resolved }: KnownAccount): boolean =>
    resolved === null || isReadyHere(id);

  function locate(account: KnownAccount | undefined): SessionLocation {
    // An unknown account has no sessions or is new. The claim checks this.
    if (account === undefined || isClaimable(account)) return HERE;
    const ready = account.leases.filter(
      ({ holder, state }) => holder !== workerId && isReady(state),
    );
    const chosen = ready[Math.floor(Math.random() * ready.length)];
    return chosen === undefined ? { kind: 'nowhere' } : { kind: 'worker', workerId: chosen.holder };
  }

  return {
    replace(all) {
      accounts = new Map(all.map((account) => [account.id, account]));
      onlyAccounts = new Map(all.map((account) => [account.workspaceId, account]));
    },
    get: (providerId) => accounts.get(providerId),
    locate: (providerId) => locate(accounts.get(providerId)),
    locateOnly: (workspaceId) => locate(onlyAccounts.get(workspaceId)),
    isBound: (providerId) =>
      accounts.get(providerId)?.leases.some(({ state }) => state === 'bound') ?? false,
    listClaimable: () => [...accounts.values()].filter(isClaimable).map(({ id }) => id),
    countPlaces() {
      let held = 0;
      let free = 0;
      for (const { resolved, isEnabled, leases } of accounts.values()) {
        held += leases.length;
        if (resolved !== null && isEnabled)
          free += Math.max(0, countPlaces(resolved) - leases.length);
      }
      return { held, free };
    },
    listElsewhere() {
      const all = [...accounts.values()].filter(({ hasNoOther }) => hasNoOther);
      const here = new Set(all.filter(isClaimable).map(({ workspaceId }) => workspaceId));
      const ids = new Set(all.map(({ workspaceId }) => workspaceId));
      return [...ids].filter((id) => !here.has(id));
    },
  };
}
