const MAX_UUID_TIME_MS = 2 ** 48 - 1;

export const MIN_ID = '00000000-0000-0000-0000-000000000000';
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function timePrefix(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), MAX_UUID_TIME_MS);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Returns the lower bound of the ids (UUIDv7) of a millisecond. */
export const firstIdOf = (at: Date): string => `${timePrefix(at)}-0000-0000-000000000000`;
