import type { ActiveApiKey } from '@switchboard/database';

/** Whose a key is. That it still holds is nothing that this process can know. */
export interface KnownKey {
  readonly id: string;
  readonly workspaceId: string;
  /** By the monotonic clock: a use from then on is to be noted. */
  noteUseAt: number;
}

/** Keys that were good once, by the hash of the key. */
export interface KnownKeys {
  find(keyHash: Buffer): KnownKey | null;
  remember(keyHash: Buffer, key: ActiveApiKey): KnownKey;
  forget(keyHash: Buffer): void;
}

/**
 * A key's id and workspace never change, so they may be kept; the least recently used goes when there
 * are too many. Only keys that the database knew come in: nobody can fill it with guesses.
 */
export function createKnownKeys(options: { maxSize: number; now(): number }): KnownKeys {
  const known = new Map<string, KnownKey>();

  return {
    find(keyHash) {
      const name = keyHash.toString('latin1');
      const key = known.get(name);
      if (key === undefined) return null;
      // The map's order is the order of use.
      known.delete(name);
      known.set(name, key);
      return key;
    },

    remember(keyHash, { id, workspaceId, useStaleInMs }) {
      const name = keyHash.toString('latin1');
      known.delete(name);
      const [oldest] = known.keys();
      if (known.size >= options.maxSize && oldest !== undefined) known.delete(oldest);
      const key = { id, workspaceId, noteUseAt: options.now() + useStaleInMs };
      known.set(name, key);
      return key;
    },

    forget(keyHash) {
      known.delete(keyHash.toString('latin1'));
    },
  };
}
