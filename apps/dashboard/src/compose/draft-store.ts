/** What has been written and not sent yet; it lives as long as the session of this tab. */
const KEY = 'switchboard.drafts';

export interface DraftStore {
  /** What was written under this name; null for nothing. */
  read(name: string): unknown;
  /** Null forgets it. */
  write(name: string, draft: unknown): void;
  /** Forgets all of them: the session has ended. */
  clear(): void;
  subscribe(listener: () => void): () => void;
}

export function createDraftStore(storage: Storage = sessionStorage): DraftStore {
  const drafts = parseDrafts(storage.getItem(KEY));
  const listeners = new Set<() => void>();

  function save(): void {
    if (drafts.size === 0) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify([...drafts]));
    for (const listener of listeners) listener();
  }

  return {
    read: (name) => drafts.get(name) ?? null,
    write(name, draft) {
      if (draft === null) drafts.delete(name);
      else drafts.set(name, draft);
      save();
    },
    clear() {
      drafts.clear();
      save();
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
