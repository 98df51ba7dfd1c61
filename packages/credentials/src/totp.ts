import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { fromBase32, toBase32 } from './base32.ts';

/** What every authenticator app supports: RFC 6238 with SHA-1, 6 digits and steps of 30 seconds. */
const DIGITS = 6;
const STEP_MS = 30_000;
/** The length of the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** A code of the step before or after the present one is accepted as well, because clocks of phones differ. */
const DRIFT_STEPS = 1;

/** Creates a secret of 160 bits, in base32. */
export function createTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** Returns the number of the time step. */
export function toTotpStep(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

/** Returns the code of a time step. */
export function createTotpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const value = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Returns the time step whose code is `code`, or null. The caller accepts each step once, and none before an accepted
 * one (RFC 6238, section 5.2).
 */
export function findTotpStep(secret: string, code: string, ms: number): number | null {
  const given = Buffer.from(code);
  const now = toTotpStep(ms);
  let found: number | null = null;
  for (let step = now - DRIFT_STEPS; step <= now + DRIFT_STEPS; step += 1) {
    const expected = Buffer.from(createTotpCode(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** Returns the URI that authenticator apps read from a QR code. */
export function toTotpUri(secret: string, { issuer, label }: { issuer: string; label: string }) {
  // Some apps show a `+` for a space, and split a label at its first colon, so each part is percent-encoded.
  const [by, account] = [issuer, label].map((part) => encodeURIComponent(part));
  return `otpauth://totp/${by}:${account}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1_000}`;
}
