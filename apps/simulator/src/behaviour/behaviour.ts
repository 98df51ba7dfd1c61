/** How the carrier misbehaves. Those without `_ms` are probabilities from 0 to 1. */
export interface Behaviour {
  seed: number;
  latency_ms: number;
  accept_then_reset: number;
  accept_then_hang: number;
  accept_then_500: number;
  html_403_accepted: number;
  mismatched_201: number;
  accept_late_ms: number;
  reject_429: number;
  reject_500: number;
  callback_drop: number;
  callback_duplicate: number;
  callback_shuffle: number;
  callback_delay_ms: number;
  trial_prefix: number;
  clock_offset_ms: number;
}

export const WELL_BEHAVED: Readonly<Behaviour> = {
  seed: 1,
  latency_ms: 0,
  accept_then_reset: 0,
  accept_then_hang: 0,
  accept_then_500: 0,
  html_403_accepted: 0,
  mismatched_201: 0,
  accept_late_ms: 0,
  reject_429: 0,
  reject_500: 0,
  callback_drop: 0,
  callback_duplicate: 0,
  callback_shuffle: 0,
  callback_delay_ms: 0,
  trial_prefix: 0,
  clock_offset_ms: 0,
};

const LONGEST_DELAY_MS = 3_600_000;

export type ParsedBehaviour =
  | { ok: true; changes: Partial<Behaviour> }
  | { ok: false; field: string | null; detail: string };

/** Reads changes to the behaviour; fields left out stay as they are. */
export function parseBehaviour(input: unknown): ParsedBehaviour {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, field: null, detail: 'The behaviour must be a JSON object' };
  }
  for (const [field, value] of Object.entries(input)) {
    const expected = expectationOf(field, value);
    if (expected !== null) return { ok: false, field, detail: `${field} ${expected}` };
  }
  return { ok: true, changes: input };
}

/** What is wrong with the field; null when nothing is. */
function expectationOf(field: string, value: unknown): string | null {
  if (!Object.hasOwn(WELL_BEHAVED, field)) return 'is not a field of the behaviour';
  if (field === 'seed') {
    return Number.isSafeInteger(value) && Number(value) >= 0
      ? null
      : 'must be a whole number, 0 or more';
  }
  if (field.endsWith('_ms')) {
    // A clock may be behind; a delay can't be.
    const lowest = field === 'clock_offset_ms' ? -LONGEST_DELAY_MS : 0;
    return Number.isInteger(value) && Number(value) >= lowest && Number(value) <= LONGEST_DELAY_MS
      ? null
      : `must be whole milliseconds from ${lowest} to ${LONGEST_DELAY_MS}`;
  }
  return typeof value === 'number' && value >= 0 && value <= 1 ? null : 'must be from 0 to 1';
}
