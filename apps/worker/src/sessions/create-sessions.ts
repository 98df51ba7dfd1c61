import {
  type CircuitBreakerStore,
  type MessageStore,
  createSessionLeaseStore,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { SESSION_LEASE_MS } from '../provider-sessions.ts';
import type { HintForwarding } from './forward-hints.ts';
import { createRecordSessionState } from './record-session-state.ts';
import { type SessionKeeperDependencies, createSessionKeeper } from './session-keeper.ts';

export interface SessionsDependencies extends Pick<
  SessionKeeperDependencies,
  'createReceiver' | 'directory' | 'calls'
> {
  infrastructure: Pick<Infrastructure, 'database' | 'resolveProviderAccount'>;
  store: Pick<MessageStore, 'bringForward'>;
  monitor: Pick<AccountMonitor, 'record' | 'recordRead'>;
  breakers: Pick<CircuitBreakerStore, 'bringProbeForward'>;
  forwarding: Pick<HintForwarding, 'start' | 'stop'>;
  dispatchHere: Parameters<HintForwarding['start']>[0];
  logger: Logger;
}

/** This worker's sessions with provider accounts. */
export interface Sessions {
  /** Reads the accounts once, and holds sessions from then on. */
  start(): Promise<void>;
  /** Takes no more sessions, and announces to other workers that its own are about to end. */
  leave(): Promise<void>;
  /** Closes all sessions and releases their places. */
  close(): Promise<void>;
}

export function createSessions(dependencies: SessionsDependencies): Sessions {
  const { database, resolveProviderAccount } = dependencies.infrastructure;
  const { forwarding } = dependencies;
  const keeper = createSessionKeeper({
    ...dependencies,
    ...createRecordSessionState(dependencies),
    leases: createSessionLeaseStore(database),
    resolveProviderAccount,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    leaseMs: SESSION_LEASE_MS,
  });
  return {
    async start() {
      forwarding.start(dependencies.dispatchHere);
      await keeper.start();
    },
    async leave() {
      forwarding.stop();
      await keeper.leave();
    },
    close: keeper.close,
  };
}
