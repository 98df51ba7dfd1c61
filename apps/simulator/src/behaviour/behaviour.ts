import { PROVIDERS, type Provider, isProvider } from '../provider.ts';

/** The faults of the carrier. Fields without `_ms` are probabilities from 0 to 1. */
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
  inbound_drop: number;
  trial_prefix: number;
  clock_offset_ms: number;
  /** 1: the provider's own port is closed. */
  refuse_connections: number;
}

export const NO_FAULTS: Readonly<Behaviour> = {
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
  inbound_drop: 0,
  trial_prefix: 0,
  clock_offset_ms: 0,
  refuse_connections: 0,
};

const MAX_DELAY_MS = 3_600_000;

export type ParsedBehaviour =
  | { ok: true; provider: Provider | null; changes: Partial<Behaviour> }
  | { ok: false; field: string | null; detail: string };

/** Parses changes to the behavior, of one `provider` or of all. Omitted fields keep their values. */
export function parseBehaviour(input: unknown): ParsedBehaviour {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, field: null, detail: 'The body must be a JSON object' };
  }
  const { provider = null, ...changes } = input as Partial<Behaviour> & { provider?: unknown };
  if (provider !== null && !isProvider(provider)) {
    const detail = `provider must be one of ${PROVIDERS.join(', ')}`;
    return { ok: false, field: 'provider', detail };
  }
  for (const [field, value] of Object.entries(changes)) {
    const expected = expectationOf(field, value);
    if (expected !== null) return { ok: false, field, detail: `${field} ${expected}` };
  }
  return { ok: true, provider, changes };
}

/** Returns why the field is invalid, or null if it is valid. */
function expectationOf(field: string, value: unknown): string | null {
  if (!Object.hasOwn(NO_FAULTS, field)) return 'is not a known field';
  if (field === 'seed') {
    return Number.isSafeInteger(value) && Number(value) >= 0
      ? null
      : 'must be a whole number of at least 0';
  }
  if (field === 'refuse_connections') {
    return value === 0 || value === 1 ? null : 'must be 0 or 1';
  }
  if (field.endsWith('_ms')) {
    // A clock offset may be negative, a delay may not.
    const minimum = field === 'clock_offset_ms' ? -MAX_DELAY_MS : 0;
    return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= MAX_DELAY_MS
      ? null
      : `must be a whole number of milliseconds from ${minimum} to ${MAX_DELAY_MS}`;
  }
  return typeof value === 'number' && value >= 0 && value <= 1
    ? null
    : 'must be a number from 0 to 1';
}
