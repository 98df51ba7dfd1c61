import { storageKey } from '../base-path.ts';

/** The storage key of the drafts and their author. */
const KEY = storageKey('switchboard.drafts');

/** The beginnings of the names of drafts that are only a part of another draft. */
export const TIME_PREFIX = 'reply-time.';
export const MENTIONS_PREFIX = 'note-mentions.';

/** The keys of requests without a response, whose texts are drafts of their own. */
export const UNANSWERED_PREFIX = 'unanswered.';

export interface DraftStore {
  /** Returns the draft with this name, or null. */
  read(name: string): unknown;
  /** Returns whether something would be lost with the tab. A time or a mention without a text is nothing. */
  hasUnsent(): boolean;
  /** Stores a draft. Null deletes it. */
  write(name: string, draft: unknown): void;
  /** Deletes the drafts of any other user. Called before a page of the user can read drafts. */
  open(userId: string): void;
  /** Deletes all drafts when the user signs out. */
  clear(): void;
  subscribe(listener: () => void): () => void;
}

/** The storage of the tab: closing the tab deletes it. */
export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

interface Stored {
  /** The id of the user who wrote the drafts; null before a user has opened them. */
  author: string | null;
  drafts: [string, unknown][];
}

/** Drafts outlive a session that ends elsewhere, for the same user only. */
export function createDraftStore(storage: DraftStorage): DraftStore {
  const stored = parseStored(storage.getItem(KEY));
  const drafts = new Map(stored.drafts);
  let { author } = stored;
  const listeners = new Set<() => void>();

  function persist(): void {
    if (drafts.size === 0) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify({ author, drafts: [...drafts] } satisfies Stored));
    for (const listener of listeners) listener();
  }

  return {
    read: (name) => drafts.get(name) ?? null,
    hasUnsent: () =>
      [...drafts].some(
        ([name, draft]) =>
          !name.startsWith(UNANSWERED_PREFIX) &&
          !name.startsWith(TIME_PREFIX) &&
          !name.startsWith(MENTIONS_PREFIX) &&
          !(typeof draft === 'string' && draft.trim() === ''),
      ),
    write(name, draft) {
      if (draft === null) drafts.delete(name);
      else drafts.set(name, draft);
      persist();
    },
    open(userId) {
      if (author === userId) return;
      if (author !== null) drafts.clear();
      author = userId;
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

function parseStored(text: string | null): Stored {
  return text === null ? { author: null, drafts: [] } : (JSON.parse(text) as Stored);
}
