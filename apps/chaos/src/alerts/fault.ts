/** A real fault, and the alerts that must fire because of it. */
export interface Fault {
  alerts: readonly string[];
  /** A description for the table. */
  what: string;
  /** Causes the fault. Returns a function that removes it. */
  cause(): Promise<Heal>;
}

export type Heal = () => Promise<void>;
