import type { Journal, JournalRecord } from '../ledger/journal.ts';
import { NO_FAULTS, type Behaviour } from './behaviour.ts';

export type BehaviourStore = ReturnType<typeof createBehaviourStore>;

/** The current behaviour. It is stored, so that a restarted simulator keeps its faults. */
export function createBehaviourStore() {
  let behaviour: Behaviour = { ...NO_FAULTS };

  return {
    replay(record: Extract<JournalRecord, { type: 'behaviour' }>): void {
      behaviour = record.behaviour;
    },

    current(): Readonly<Behaviour> {
      return behaviour;
    },

    async merge(journal: Journal, changes: Partial<Behaviour>): Promise<void> {
      behaviour = { ...behaviour, ...changes };
      await journal.append({ type: 'behaviour', behaviour });
    },

    reset(): void {
      behaviour = { ...NO_FAULTS };
    },
  };
}
