import { useSyncExternalStore } from 'react';

/** Short, because a timer until midnight is late after a sleep of the computer or a change of its zone. */
const CHECK_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const notify = (): void => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(notify, CHECK_MS);
    document.addEventListener('visibilitychange', notify);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', notify);
  };
}

/** Renders the component again when a day begins, so that “Today” and times without a day stay true. */
export const useDay = (): string =>
  useSyncExternalStore(subscribe, () => new Date().toDateString());
