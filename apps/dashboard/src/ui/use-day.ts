import { useSyncExternalStore } from 'react';
import { getTimeZone, updateTimeZone } from './format.ts';

/** Short, because a timer until midnight is late after a sleep of the computer or a change of its zone. */
const CHECK_MS = 10_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const notify = (): void => {
  updateTimeZone();
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

/**
 * Renders the component again when a day begins or the computer's time zone changes, so that “Today” and all times stay
 * true.
 */
export const useDay = (): string =>
  useSyncExternalStore(subscribe, () => `${new Date().toDateString()} ${getTimeZone()}`);

/** Returns the time zone of all times. */
export const useTimeZone = (): string => useSyncExternalStore(subscribe, getTimeZone);
