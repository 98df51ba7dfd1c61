/** A real fault, and the alerts that must fire because of it. */
export interface Fault {
  alerts: readonly string[];
  /** A description for the table. */
  what: string;
  /** Causes the fault. Returns a function that removes it. */
  cause(): Promise<Heal>;
}

export type Heal = () => Promise<void>;

/**
 * Runs a function repeatedly. The returned function stops the repetition and waits for the last run
 * to end.
 */
export function repeat(run: () => Promise<void>): Heal {
  let stopped = false;
  async function runUntilStopped(): Promise<void> {
    while (!stopped) await run();
  }
  const running = runUntilStopped();
  running.catch(() => undefined); // The returned function throws the error.
  return async () => {
    stopped = true;
    await running;
  };
}
