import type { Journal, JournalRecord } from '../ledger/journal.ts';
import { PROVIDERS, type Provider } from '../provider.ts';
import { NO_FAULTS, type Behaviour } from './behaviour.ts';

export type BehaviourStore = ReturnType<typeof createBehaviourStore>;

/**
 * The current behavior of each provider. It is stored, so that a restarted simulator keeps its
 * faults. `onChange` is called after each change.
 */
export function createBehaviourStore(onChange: () => void) {
  const byProvider = new Map<Provider, Behaviour>();
  const current = (provider: Provider): Readonly<Behaviour> =>
    byProvider.get(provider) ?? NO_FAULTS;

  return {
    /** Older journals have one behavior for all providers, with fewer fields. */
    replay({ behaviour, provider }: Extract<JournalRecord, { type: 'behaviour' }>): void {
      for (const each of provider === undefined ? PROVIDERS : [provider]) {
        byProvider.set(each, { ...NO_FAULTS, ...behaviour });
      }
    },

    current,

    async merge(
      journal: Journal,
      only: Provider | null,
      changes: Partial<Behaviour>,
    ): Promise<void> {
      const writes = (only === null ? PROVIDERS : [only]).map((provider) => {
        const behaviour = { ...current(provider), ...changes };
        byProvider.set(provider, behaviour);
        return journal.append({ type: 'behaviour', provider, behaviour });
      });
      onChange();
      await Promise.all(writes);
    },

    reset(): void {
      byProvider.clear();
      onChange();
    },
  };
}
