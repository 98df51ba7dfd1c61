import { randomUUID } from 'node:crypto';
import type { DispatchHint } from '@switchboard/core';
import {
  type CircuitBreakerStore,
  type LeaseState,
  type MessageStore,
  type SessionClaims,
  createSessionLeaseStore,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { SESSION_LEASE_MS, type Sessions } from '../provider-sessions.ts';
import { createHintForwarding } from './forward-hints.ts';
import { createRecordSessionState } from './record-session-state.ts';
import { type SessionKeeperDependencies, createSessionKeeper } from './session-keeper.ts';

export interface SessionsDependencies extends Pick<SessionKeeperDependencies, 'createReceiver'> {
  infrastructure: Pick<Infrastructure, 'database' | 'bus' | 'registry' | 'resolveProviderAccount'>;
  store: Pick<MessageStore, 'bringForward'>;
  monitor: Pick<AccountMonitor, 'record' | 'recordRead'>;
  breakers: Pick<CircuitBreakerStore, 'bringProbeForward'>;
  dispatchHere(hint: DispatchHint, how: { isForwarded: true }): boolean;
  logger: Logger;
}

export function createSessions(deps: SessionsDependencies): Sessions {
  const { infrastructure } = deps;
  const { database, bus, registry, resolveProviderAccount } = infrastructure;
  const workerId = randomUUID();
  const types = registry.adapters
    .filter(({ sessions }) => sessions !== null)
    .map(({ type }) => type);
  const keeper = createSessionKeeper({
    ...deps,
    ...createRecordSessionState(deps),
    workerId,
    leases: createSessionLeaseStore(database),
    types,
    resolveProviderAccount,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    leaseMs: SESSION_LEASE_MS,
  });
  const { directory, start, leave, close, call, list } = keeper;
  const forwarding = createHintForwarding({ workerId, bus, dispatchHere: deps.dispatchHere });
  const listClaims = (): SessionClaims => ({ types, providerIds: directory.listClaimable() });

  return {
    async start() {
      forwarding.start();
      await start();
    },
    async leave() {
      forwarding.stop();
      await leave();
    },
    close,
    forward: forwarding.forward,
    locate: (workspaceId, providerId) =>
      providerId === null ? directory.locateOnly(workspaceId) : directory.locate(providerId),
    listClaims,
    listElsewhere: directory.listElsewhere,
    isBound: ({ id, type }) => (types.includes(type) ? directory.isBound(id) : null),
    call,
    hasEnded: ({ id, type }) => types.includes(type) && !listClaims().providerIds.includes(id),
    countByState() {
      const counts = new Map<LeaseState, number>();
      for (const { leaseState } of list())
        counts.set(leaseState, (counts.get(leaseState) ?? 0) + 1);
      return counts;
    },
    countPlaces: directory.countPlaces,
  };
}
