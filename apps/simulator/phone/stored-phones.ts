import { parseNumber } from './carrier.ts';

/** As many as one stream of the simulator has. */
export const MAX_PHONES = 8;

/** The recipient of the first message in the README. The range 555 has no subscribers. */
const FIRST = 15_558_675_310;
const KEY = 'phones';
const PARAMETER = 'number';

/** Returns the phones of the URL, else those of the last visit, else one. */
export function readPhones(): string[] {
  const named = new URLSearchParams(location.search).getAll(PARAMETER);
  const numbers = named.length > 0 ? named : readStored();
  const valid = numbers.flatMap((text) => parseNumber(text) ?? []);
  return [...new Set(valid)].slice(0, MAX_PHONES);
}

function readStored(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (Array.isArray(stored)) return stored.map(String);
  } catch {
    // Storage is disabled, or another program of this origin wrote it.
  }
  return [suggestNumber([])];
}

/** Stores the phones in the URL, which several windows can have, and for the next visit. */
export function storePhones(numbers: readonly string[]): void {
  const search = new URLSearchParams(numbers.map((number) => [PARAMETER, number])).toString();
  history.replaceState(null, '', search === '' ? location.pathname : `?${search}`);
  try {
    localStorage.setItem(KEY, JSON.stringify(numbers));
  } catch {
    // The URL still has them.
  }
}

/** Returns the next free number. */
export function suggestNumber(taken: readonly string[]): string {
  let next = FIRST;
  while (taken.includes(`+${next}`)) next += 1;
  return `+${next}`;
}
