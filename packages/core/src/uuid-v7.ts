const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

let lastMs = 0;
let counter = 0;

/**
 * Creates a UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, a 12-bit counter and 62 random bits. The
 * counter keeps the ids of one process and millisecond in the order of their creation. More than 4,096
 * ids in one millisecond are unordered among themselves. The time is always `nowMs`, even after the
 * clock was set back, because `created_at` must agree with the order of the history, which is the order
 * of the ids.
 */
export function createUuidV7(nowMs: number): string {
  counter = nowMs === lastMs ? Math.min(counter + 1, 0xfff) : 0;
  lastMs = nowMs;
  return formatUuidV7(nowMs, 0x7000 | counter, randomTail());
}

/**
 * Creates a UUIDv7 for what requests name without its workspace: a workspace, a provider account, an uploaded file. In place
 * of the counter, it has the number of the shard, the part of the installation that has the workspace. There is one, 0.
 */
export function createShardedUuid(nowMs: number, shard = 0): string {
  return formatUuidV7(nowMs, 0x7000 | shard, randomTail());
}

/** Returns the Unix milliseconds in a UUIDv7. */
export function timeOfUuidV7(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

// A call for random bytes costs about the same for a few bytes as for many.
const pool = new Uint8Array(8 * 256);
let used = pool.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns 64 random bits in hexadecimal. The first two are the variant. */
function randomTail(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const next = (): number => pool[used++] ?? 0;
  let tail = HEX[(next() & 0x3f) | 0x80] ?? '';
  for (let byte = 1; byte < 8; byte += 1) tail += HEX[next()];
  return tail;
}

function formatUuidV7(ms: number, versionAndCounter: number, tail: string): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${versionAndCounter.toString(16)}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}
