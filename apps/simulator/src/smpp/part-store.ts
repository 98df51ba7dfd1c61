import type { Journal, JournalRecord } from '../ledger/journal.ts';
import type { Submit } from './parse-submit.ts';
import type { StoredPart } from './stored-part.ts';

export type PartStore = ReturnType<typeof createPartStore>;

/** Stores parts until their message is complete. */
export function createPartStore() {
  const incomplete = new Map<string, StoredPart[]>();

  function put(key: string, part: StoredPart): void {
    const others = incomplete.get(key)?.filter(({ sequence }) => sequence !== part.sequence) ?? [];
    incomplete.set(key, [...others, part]);
  }

  return {
    replay({ key, part }: Extract<JournalRecord, { type: 'smpp_part' }>): void {
      if (part === null) incomplete.delete(key);
      else put(key, part);
    },

    /** Returns all parts in order if this one completes the message, otherwise null. */
    complete(key: string, part: StoredPart, total: number): StoredPart[] | null {
      const others = incomplete.get(key)?.filter(({ sequence }) => sequence !== part.sequence);
      if ((others?.length ?? 0) + 1 < total) return null;
      return [...(others ?? []), part].toSorted((a, b) => a.sequence - b.sequence);
    },

    async keep(journal: Journal, key: string, part: StoredPart): Promise<void> {
      put(key, part);
      await journal.append({ type: 'smpp_part', key, part });
    },

    /** Removes the parts of a message that has been accepted. */
    async remove(journal: Journal, key: string): Promise<void> {
      if (incomplete.delete(key)) await journal.append({ type: 'smpp_part', key, part: null });
    },

    clear: (): void => incomplete.clear(),
  };
}

/** The parts of one message have the same account, addresses, reference and number of parts. */
export function keyOf(account: string, { to, from, part, text }: Submit): string {
  return JSON.stringify([account, from, to, text.dataCoding, part?.reference, part?.total]);
}
