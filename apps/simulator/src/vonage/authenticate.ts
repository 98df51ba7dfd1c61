import { createPublicKey, verify } from 'node:crypto';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { VendorAccount } from '../accounts/vendor-account.ts';

/** Finds the application that has signed the JWT of a request; null if none has. */
export function authenticate(
  accounts: Pick<VendorAccountStore, 'find'>,
  authorization: string | undefined,
): VendorAccount | null {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const [header = '', claims = '', signature = ''] = token.split('.');
  const { application_id: id, exp } = decode(claims);
  const account = typeof id === 'string' ? accounts.find(id) : null;
  if (account === null || account.provider !== 'vonage') return null;
  if (decode(header)['alg'] !== 'RS256') return null;
  if (typeof exp === 'number' && exp < Date.now() / 1_000) return null;
  // The public key is part of the private one.
  const key = createPublicKey(account.privateKey);
  const signed = Buffer.from(`${header}.${claims}`);
  return verify('sha256', signed, key, Buffer.from(signature, 'base64url')) ? account : null;
}

function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // The text is not a JWT, so it has no claims.
    return {};
  }
}
