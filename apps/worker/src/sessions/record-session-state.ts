import type { CircuitBreakerStore, MessageStore } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { AccountMonitor } from '../account-monitor.ts';
import { type HeldSession, isReady } from './held-session.ts';

export interface RecordSessionStateDependencies {
  store: Pick<MessageStore, 'bringForward'>;
  monitor: Pick<AccountMonitor, 'record' | 'recordRead'>;
  breakers: Pick<CircuitBreakerStore, 'bringProbeForward'>;
  logger: Logger;
}

/** Derives the state of accounts from that of their sessions. */
export function createRecordSessionState(dependencies: RecordSessionStateDependencies) {
  const { store, monitor, breakers, logger } = dependencies;
  /** Sessions for which messages were made due. */
  const started = new WeakSet<HeldSession>();

  async function record(session: HeldSession): Promise<void> {
    const { account, state } = session;
    if (state.kind === 'bound') {
      await monitor.recordRead(account);
      // A bind proves the credentials. A probe, and then a trial message, end the pause of the
      // account.
      await breakers.bringProbeForward(account);
    }
    if (state.kind === 'refused') await monitor.record(account, 'refused', state.detail);
    if (started.has(session) || !isReady(session.leaseState)) return;
    started.add(session);
    // While there was no session, sweepers skipped the messages or postponed them.
    await store.bringForward([account.workspaceId], 0);
  }

  return {
    onStateChange(session: HeldSession): void {
      const { account, place, state } = session;
      const log = logger.child({
        workspace_id: account.workspaceId,
        provider_id: account.id,
        place,
      });
      const detail = 'detail' in state ? state.detail : null;
      if (state.kind === 'bound') log.info('provider session bound');
      else if (detail !== null) log.warn({ state: state.kind, detail }, 'provider session failing');
      record(session).catch((error: unknown) => {
        // The next change has the same effect. Until then, messages wait for one lease at most.
        log.warn({ err: error }, 'failed to record the state of a provider session');
      });
    },

    /** Marks an account that cannot be bound as failing, whether or not it has messages. */
    onFailing({ account, state }: HeldSession): void {
      if (state.kind !== 'connecting' || state.detail === null) return;
      void monitor.record(account, 'failed', state.detail);
    },
  };
}
