const started = new Map<string, Promise<unknown>>();

/**
 * Starts one process, the first time in this process, for all test files that run in it. It ends with this process,
 * so a file leaves nothing in it that another file could find.
 */
export function startOnce<T>(name: string, start: () => Promise<T>): Promise<T> {
  const existing = started.get(name) as Promise<T> | undefined;
  if (existing !== undefined) return existing;
  const starting = start();
  started.set(name, starting);
  starting.catch(() => started.delete(name));
  return starting;
}

/** Returns how many such processes are running. */
export const countStartedOnce = (): number => started.size;
