/** The storage key of the drafts. They last as long as the session of this tab. */
const KEY = 'switchboard.drafts';

export interface DraftStore {
  /** Returns the draft with this name, or null. */
  read(name: string): unknown;
  /** Stores a draft. Null deletes it. */
  write(name: string, draft: unknown): void;
  /** Deletes all drafts, for example when the session has ended. */
  clear(): void;
  subscribe(listener: () => void): () => void;
}

export function createDraftStore(storage: Storage = sessionStorage): DraftStore {
  const drafts = parseDrafts(storage.getItem(KEY));
  const listeners = new Set<() => void>();

  function persist(): void {
    if (drafts.size === 0) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify([...drafts]));
    for (const listener of listeners) listener();
  }

  return {
    read: (name) => drafts.get(name) ?? null,
    write(name, draft) {
      if (draft === null) drafts.delete(name);
      else drafts.set(name, draft);
      persist();
    },
    clear() {
      drafts.clear();
      persist();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function parseDrafts(text: string | null): Map<string, unknown> {
  return new Map(text === null ? [] : (JSON.parse(text) as [string, unknown][]));
}
