import type { Contact } from '@switchboard/contracts';

/**
 * The contacts of the numbers that the views show. Numbers are looked up in batches, so that a list of
 * messages needs one request and not one for each row.
 */
export interface ContactDirectory {
  /** Returns the contact of a number, or null if the number has none or the contact is not loaded yet. */
  read(number: string): Contact | null;
  /**
   * Looks the number up soon, unless its contact is loaded, and calls `listener` after each change.
   * Returns a function that unsubscribes.
   */
  watch(number: string, listener: () => void): () => void;
  /** Stores a contact that the user has added or changed. */
  put(contact: Contact): void;
  /** Looks up the watched numbers again, after contacts may have changed. */
  refresh(): void;
  close(): void;
}

type LookUp = (numbers: string[]) => Promise<readonly Contact[]>;

interface Entry {
  contact: Contact | null;
  at: number;
}

const BATCH_MAX = 100;
/** The wait before a request, so that rows that appear together share one. */
const FIRST_WAIT_MS = 20;
/**
 * The time between two requests, so that live messages from many new numbers do not use up the rate
 * limit.
 */
const WAIT_MS = 1_000;
/** How long a contact is not looked up again. Colleagues may change contacts too. */
const FRESH_MS = 300_000;
/** How many numbers are kept: far more than the views show at once. */
const MAX_KEPT = 5_000;

/** Returns all numbers of a contact, its main number first. */
export const numbersOf = ({ number, other_numbers }: Contact): string[] => [
  number,
  ...other_numbers,
];

export function createContactDirectory(lookUp: LookUp): ContactDirectory {
  const entries = new Map<string, Entry>();
  const watchers = new Map<string, Set<() => void>>();
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRequestAt = -WAIT_MS;

  function store(number: string, contact: Contact | null): void {
    if (entries.size >= MAX_KEPT) entries.clear();
    entries.set(number, { contact, at: performance.now() });
    for (const listener of watchers.get(number) ?? []) listener();
  }

  function schedule(): void {
    const sinceLast = performance.now() - lastRequestAt;
    timer ??= setTimeout(() => void run(), Math.max(FIRST_WAIT_MS, WAIT_MS - sinceLast));
  }

  async function run(): Promise<void> {
    const numbers = [...waiting].slice(0, BATCH_MAX);
    for (const number of numbers) waiting.delete(number);
    lastRequestAt = performance.now();
    timer = undefined;
    if (waiting.size > 0) schedule();
    try {
      const contacts = await lookUp(numbers);
      const found = new Map(contacts.flatMap((each) => numbersOf(each).map((n) => [n, each])));
      for (const number of numbers) store(number, found.get(number) ?? null);
    } catch {
      // The views show the number instead of the name, and a row that appears again requests the name again.
    }
  }

  function request(number: string): void {
    const known = entries.get(number);
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return;
    waiting.add(number);
    schedule();
  }

  return {
    read: (number) => entries.get(number)?.contact ?? null,
    watch(number, listener) {
      const listeners = watchers.get(number) ?? new Set();
      watchers.set(number, listeners.add(listener));
      request(number);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) watchers.delete(number);
      };
    },
    put(contact) {
      for (const number of numbersOf(contact)) store(number, contact);
    },
    refresh() {
      for (const [number, { contact }] of entries) {
        entries.set(number, { contact, at: performance.now() - FRESH_MS });
      }
      for (const number of watchers.keys()) request(number);
    },
    close: () => clearTimeout(timer),
  };
}
