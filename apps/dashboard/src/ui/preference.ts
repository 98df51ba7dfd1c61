import { useSyncExternalStore } from 'react';
import { storageKey } from '../base-path.ts';

/** A preference of the user that this browser stores for all of its tabs. */
export interface Preference<Value extends string> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** The first value is the default, and is also used if the browser has stored any other text. */
export function createPreference<const Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Preference<Value> {
  const key = storageKey(name);
  const listeners = new Set<() => void>();
  const get = (): Value => {
    const kept = localStorage.getItem(key);
    return values.find((value) => value === kept) ?? values[0];
  };
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const onStorage = (event: StorageEvent): void => {
    // The key is null when all of the storage was cleared.
    if (event.key === key || event.key === null) notify();
  };
  return {
    get,
    set(value) {
      if (value === values[0]) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
      notify();
    },
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', onStorage);
      };
    },
  };
}

export const usePreference = <Value extends string>({ subscribe, get }: Preference<Value>): Value =>
  useSyncExternalStore(subscribe, get);
