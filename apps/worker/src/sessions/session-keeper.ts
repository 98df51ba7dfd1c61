import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@switchboard/core';
import type { SessionAccount, SessionLeaseStore } from '@switchboard/database';
import type { ResolveProviderAccount } from '@switchboard/providers';
import type { Logger } from '@switchboard/runtime';
import type { SessionCalls } from '../provider-sessions.ts';
import type { CreateReceiver } from './create-receiver.ts';
import { type HeldSession, holdSession, keyOf } from './held-session.ts';
import { type UsableAccount, countPlaces } from './usable-account.ts';
import { createLeaseFence, readMoment } from './lease-fence.ts';
import type { KnownAccount, SessionState } from './session-directory.ts';

export interface SessionKeeperDependencies {
  directory: Pick<SessionState, 'workerId' | 'types' | 'held' | 'get' | 'replace' | 'hasEnded'>;
  /** A session is not closed before the calls that use it have ended. */
  calls: Pick<SessionCalls, 'idle'>;
  leases: Pick<SessionLeaseStore, 'listAccounts' | 'take' | 'renew' | 'release' | 'requestPlace'>;
  resolveProviderAccount: ResolveProviderAccount;
  createReceiver: CreateReceiver;
  /** Called after each change of a session's state. */
  onStateChange(session: HeldSession): void;
  /** Called about once a second with a session that cannot be bound, until its account is failing. */
  onFailing(session: HeldSession): void;
  clock: Clock;
  leaseMs: number;
  logger: Logger;
}

const CHECK_EVERY_MS = 1_000;
const CHECK_AGAIN_MS = 200;
const RENEWALS_PER_LEASE = 5;
/** The part of a lease that a session has for its last responses, before it must be closed. */
const GRACE_PART = 0.15;
/** How long a worker leaves a place to the worker that requested it. */
const LEAVE_TO_OTHERS_MS = 5_000;

/**
 * Holds this worker's share of the sessions with provider accounts:
 *
 *     free ──take──▶ opening ──▶ bound ⇄ failing ──▶ leaving ──▶ closed, released
 *                                  │ lease not renewed in time
 *                                  └──▶ closed, and free when the lease ends
 *
 * A worker leaves a place when the account was changed, when another worker should have the place,
 * or when the worker shuts down.
 */
export function createSessionKeeper(dependencies: SessionKeeperDependencies) {
  const { directory, calls, leases, clock, leaseMs, logger } = dependencies;
  const { workerId, types, held } = directory;
  const graceMs = leaseMs * GRACE_PART;
  /** Places that are left to other workers, each until a time on the monotonic clock. */
  const avoided = new Map<string, number>();
  const ending = new WeakSet<HeldSession>();
  const endings = new Set<Promise<void>>();
  let isStopping = false;
  let checkTimer: NodeJS.Timeout | undefined;
  let renewTimer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();
  let renewing: Promise<void> | null = null;
  let isRenewalDue = false;
  let isFailing = false;

  function report(error: unknown): void {
    // An unavailable database fails every round, so only the first failure is logged.
    if (!isFailing) logger.warn({ err: error }, 'failed to manage provider sessions');
    isFailing = true;
  }

  function resolve(account: SessionAccount): KnownAccount {
    const resolved = dependencies.resolveProviderAccount(account.workspaceId, account);
    const isUsable = resolved.kind === 'resolved' && resolved.adapter.sessions !== null;
    return { ...account, resolved: isUsable ? resolved : null };
  }

  async function checkAccounts(): Promise<void> {
    let nextMs = CHECK_EVERY_MS * (0.75 + 0.5 * Math.random());
    try {
      const accounts = (await leases.listAccounts(types)).map(resolve);
      directory.replace(accounts);
      for (const session of held.list()) {
        if (isOutdated(session)) leave(session, 'account changed');
        else if (isUnreported(session)) dependencies.onFailing(session);
      }
      if (!isStopping && (await takeShare(accounts))) nextMs = CHECK_AGAIN_MS;
      isFailing = false;
    } catch (error) {
      report(error);
    }
    if (!isStopping) checkTimer = setTimeout(() => (checking = checkAccounts()), nextMs);
  }

  /**
   * Returns whether the session cannot be bound although the account's circuit breaker is closed.
   */
  function isUnreported({ leaseState, providerId }: HeldSession): boolean {
    return leaseState === 'failing' && directory.get(providerId)?.isFailing !== true;
  }

  function isOutdated({ providerId, place, account }: HeldSession): boolean {
    const now = directory.get(providerId);
    if (now?.resolved == null || !now.isEnabled) return true;
    // The key of stored secrets may have been rotated, which changes only the sealed text.
    if (!isDeepStrictEqual(account.resolved.account, now.resolved.account)) return true;
    return place > countPlaces(now.resolved);
  }

  /** Takes only some of the free places, so that workers that start at the same time share them. */
  async function takeShare(accounts: readonly KnownAccount[]): Promise<boolean> {
    const free = accounts.filter(hasFreePlace).toSorted(() => Math.random() - 0.5);
    const share = free.slice(0, Math.ceil(free.length / 2));
    for (const account of share) await take(account);
    if (free.length === 0 && hasMoreElsewhere(accounts)) {
      await leases.requestPlace(workerId, LEAVE_TO_OTHERS_MS);
    }
    return share.length > 0;
  }

  function hasFreePlace(account: KnownAccount): account is UsableAccount {
    if (account.resolved === null || !account.isEnabled) return false;
    if ((avoided.get(account.id) ?? 0) > clock.monotonic()) return false;
    avoided.delete(account.id);
    return account.leases.length < countPlaces(account.resolved);
  }

  function hasMoreElsewhere(accounts: readonly KnownAccount[]): boolean {
    const counts = new Map<string, number>();
    for (const { leases: current } of accounts) {
      for (const { holder } of current) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    }
    return Math.max(0, ...counts.values()) >= held.list().length + 2;
  }

  async function take(account: UsableAccount): Promise<void> {
    const began = readMoment(clock);
    const maxPlaces = countPlaces(account.resolved);
    const place = await leases.take(account, { holder: workerId, maxPlaces, leaseMs });
    if (place === null) return;
    const fence = createLeaseFence(clock, leaseMs, began);
    const session = holdSession({
      account,
      place,
      fence,
      receiver: dependencies.createReceiver(account, fence.isHeld),
      onStateChange(changed) {
        dependencies.onStateChange(changed);
        // Other workers see the state in the lease.
        void renew();
      },
    });
    const lost = held.add(session);
    if (lost !== undefined) lose(lost);
    watchFence(session);
    logger.info(fieldsOf(session), 'provider session opened');
    if (isStopping) leave(session, 'shutdown');
  }

  /** Ends a session whose lease was not renewed in time, before another worker can take its place. */
  function watchFence(session: HeldSession): void {
    const timer = setTimeout(
      () => {
        if (!held.has(session)) return;
        if (session.fence.isHeld()) watchFence(session);
        else lose(session, graceMs);
      },
      Math.max(1, session.fence.remainingMs()),
    );
    timer.unref();
  }

  function lose(session: HeldSession, withinMs = 0): void {
    held.remove(session);
    logger.warn(fieldsOf(session), 'provider session closed: its lease was not renewed');
    track(closeWithin(session, withinMs));
  }

  /** Closes the connection when the time is over, even if the session still waits for responses. */
  async function closeWithin(session: HeldSession, withinMs: number): Promise<void> {
    const timer = setTimeout(() => void session.close(0), withinMs);
    await session.close(withinMs);
    clearTimeout(timer);
  }

  function track(work: Promise<void>): void {
    const done = work.catch(report).finally(() => endings.delete(done));
    endings.add(done);
  }

  function leave(session: HeldSession, reason: string): void {
    if (ending.has(session)) return;
    ending.add(session);
    session.withdraw();
    logger.info({ ...fieldsOf(session), reason }, 'provider session closing');
    // Other workers must not forward messages here from now on.
    void renew();
    track(endSession(session));
  }

  async function endSession(session: HeldSession): Promise<void> {
    // Another session of the account takes over the messages.
    if (directory.hasEnded({ id: session.providerId, type: session.account.type })) {
      await calls.idle(session.providerId);
    }
    await closeWithin(session, graceMs);
    if (!held.remove(session)) return;
    await leases.release(workerId, session);
  }

  /** Calls that arrive during a renewal cause one more renewal. */
  function renew(): Promise<void> {
    if (renewing !== null) {
      isRenewalDue = true;
      return renewing;
    }
    renewing = renewAll().finally(() => (renewing = null));
    return renewing;
  }

  async function renewAll(): Promise<void> {
    do {
      isRenewalDue = false;
      const sessions = held.list();
      if (sessions.length === 0) return;
      const began = readMoment(clock);
      try {
        const places = sessions.map(({ workspaceId, providerId, place, leaseState: state }) => ({
          workspaceId,
          providerId,
          place,
          state,
        }));
        const renewed = await leases.renew(workerId, places, leaseMs);
        const byKey = new Map(renewed.map((place) => [keyOf(place), place]));
        for (const session of sessions) {
          const response = byKey.get(keyOf(session));
          if (response !== undefined) session.fence.renew(began);
          else if (held.has(session)) lose(session);
          if (response?.isWanted !== true || session.isLeaving) continue;
          avoided.set(session.providerId, clock.monotonic() + LEAVE_TO_OTHERS_MS);
          leave(session, 'moves to another worker');
        }
      } catch (error) {
        report(error);
        return;
      }
    } while (isRenewalDue);
  }

  return {
    /** Resolves once the accounts have been read, so that the first hints find their sessions. */
    async start(): Promise<void> {
      if (types.length === 0) return;
      renewTimer = setInterval(() => void renew(), leaseMs / RENEWALS_PER_LEASE);
      checking = checkAccounts();
      await checking;
    },
    /** Takes no more sessions, and announces to other workers that its own are about to end. */
    async leave(): Promise<void> {
      isStopping = true;
      clearTimeout(checkTimer);
      await checking;
      for (const session of held.list()) session.withdraw();
      await renew();
    },
    /** Closes all sessions, after the sends in flight, and releases their places. */
    async close(): Promise<void> {
      isStopping = true;
      clearTimeout(checkTimer);
      await checking;
      for (const session of held.list()) leave(session, 'shutdown');
      await Promise.all(endings);
      clearInterval(renewTimer);
    },
  };
}

function fieldsOf({ account, place }: HeldSession): object {
  return { workspace_id: account.workspaceId, provider_id: account.id, place };
}
