/** Something that really goes wrong, and what Prometheus must say of it. */
export interface Fault {
  alerts: readonly string[];
  /** For the table. */
  what: string;
  /** Breaks it, and returns what mends it. */
  cause(): Promise<Heal>;
}

export type Heal = () => Promise<void>;

/** Does it again and again until told to stop, which waits for the last time to be over. */
export function repeat(run: () => Promise<void>): Heal {
  let stopped = false;
  async function go(): Promise<void> {
    while (!stopped) await run();
  }
  const going = go();
  going.catch(() => undefined); // told below, to who mends it
  return async () => {
    stopped = true;
    await going;
  };
}
