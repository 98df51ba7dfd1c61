import type { LeaseState, SessionAccount } from '@switchboard/database';
import type { SessionDirectory, SessionLocation } from '../provider-sessions.ts';
import { type HeldSessions, createHeldSessions, isReady } from './held-session.ts';
import { type UsableAccount, countPlaces } from './usable-account.ts';

export type KnownAccount = UsableAccount | (SessionAccount & { resolved: null });

const HERE: SessionLocation = { kind: 'here' };

/** The accounts with sessions, as they were last read, and the sessions that this process holds. */
export interface SessionState extends SessionDirectory {
  readonly workerId: string;
  /** The types of providers whose adapters have sessions. */
  readonly types: readonly string[];
  readonly held: HeldSessions;
  replace(accounts: readonly KnownAccount[]): void;
  /** Returns undefined for an account that was not listed, which may be new. */
  get(providerId: string): KnownAccount | undefined;
}

export function createSessionDirectory({
  workerId,
  types,
}: Pick<SessionState, 'workerId' | 'types'>): SessionState {
  const held = createHeldSessions();
  let accounts = new Map<string, KnownAccount>();
  let onlyAccounts = new Map<string, KnownAccount>();

  /**
   * Whether this process may call the account: it holds a session on which messages can be sent now. An
   * account without readable credentials has no session: any worker claims its messages and refuses them.
   */
  const isClaimable = ({ id, resolved }: KnownAccount): boolean =>
    resolved === null ||
    held.list().some(({ providerId, leaseState }) => providerId === id && isReady(leaseState));

  const listClaimable = (): string[] =>
    [...accounts.values()].filter(isClaimable).map(({ id }) => id);

  return {
    workerId,
    types,
    held,
    replace(all) {
      accounts = new Map(all.map((account) => [account.id, account]));
      onlyAccounts = new Map(all.map((account) => [account.workspaceId, account]));
    },
    get: (providerId) => accounts.get(providerId),
    locate(workspaceId, providerId) {
      const account =
        providerId === null ? onlyAccounts.get(workspaceId) : accounts.get(providerId);
      // An unknown account has no sessions or is new. The claim checks this.
      if (account === undefined || isClaimable(account)) return HERE;
      const ready = account.leases.filter(
        ({ holder, state }) => holder !== workerId && isReady(state),
      );
      const chosen = ready[Math.floor(Math.random() * ready.length)];
      return chosen === undefined
        ? { kind: 'nowhere' }
        : { kind: 'worker', workerId: chosen.holder };
    },
    isBound: ({ id, type }) =>
      types.includes(type)
        ? (accounts.get(id)?.leases.some(({ state }) => state === 'bound') ?? false)
        : null,
    hasEnded: ({ id, type }) => types.includes(type) && !listClaimable().includes(id),
    listClaims: () => ({ types, providerIds: listClaimable() }),
    listElsewhere() {
      const all = [...accounts.values()].filter(({ hasNoOther }) => hasNoOther);
      const here = new Set(all.filter(isClaimable).map(({ workspaceId }) => workspaceId));
      const ids = new Set(all.map(({ workspaceId }) => workspaceId));
      return [...ids].filter((id) => !here.has(id));
    },
    countByState() {
      const counts = new Map<LeaseState, number>();
      for (const { leaseState } of held.list()) {
        counts.set(leaseState, (counts.get(leaseState) ?? 0) + 1);
      }
      return counts;
    },
    countPlaces() {
      let taken = 0;
      let free = 0;
      for (const { resolved, isEnabled, leases } of accounts.values()) {
        taken += leases.length;
        if (resolved !== null && isEnabled)
          free += Math.max(0, countPlaces(resolved) - leases.length);
      }
      return { held: taken, free };
    },
  };
}
