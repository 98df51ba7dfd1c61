import type { PhoneEvent } from '../phone-gateway/events.ts';
import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';

/** An account at Telnyx or an SMPP provider, an application at Vonage, or a phone with a gateway. */
export interface VendorAccount {
  provider: 'telnyx' | 'vonage' | 'smpp' | 'http';
  /** Telnyx: the public key, in base64. Vonage: the application ID. SMPP: the `system_id`. Phone: the user name. */
  id: string;
  /** Telnyx: the API key. Vonage: the signature secret. SMPP and phone: the password. */
  secret: string;
  /**
   * In PEM. Telnyx: signs webhooks. Vonage: signs the application's requests. SMPP: empty. Phone:
   * the key that signs webhooks, not in PEM.
   */
  privateKey: string;
  /**
   * Telnyx: the only messaging profile of the account. Vonage: the API key of the whole account. SMPP: empty.
   * Phone: the device.
   */
  groupId: string;
  /** The URL for received messages; empty without one. */
  inboundUrl: string;
  /** Vonage: the API secret of the whole account. */
  apiSecret?: string;
  /** SMPP: how many binds the account may have at the same time; unlimited if absent. */
  maxBinds?: number;
  /** Phone: the URLs of its webhooks, by event. */
  eventUrls?: Partial<Record<PhoneEvent, string>>;
}

/** Creates a Telnyx account with its own key pair. */
export function createTelnyxAccount(apiKey = `KEY${randomBytes(16).toString('hex')}`) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    provider: 'telnyx',
    // The last 32 bytes of the DER encoding are the key.
    id: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    secret: apiKey,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    groupId: randomUUID(),
    inboundUrl: '',
  } satisfies VendorAccount;
}

/** Creates a Vonage application. Omitted values are random. */
export function createVonageAccount(given: {
  id?: string;
  secret?: string;
  privateKey?: string;
  inboundUrl?: string;
  apiKey?: string;
  apiSecret?: string;
}) {
  return {
    provider: 'vonage',
    id: given.id ?? randomUUID(),
    secret: given.secret ?? randomBytes(24).toString('base64url'),
    privateKey: given.privateKey ?? createRsaKey(),
    groupId: given.apiKey ?? randomBytes(4).toString('hex'),
    apiSecret: given.apiSecret ?? randomBytes(8).toString('hex'),
    inboundUrl: given.inboundUrl ?? '',
  } satisfies VendorAccount;
}

/** Creates an SMPP account. Omitted values are random, within the lengths of SMPP 3.4. */
export function createSmppAccount({
  id = `sim${randomBytes(5).toString('hex')}`,
  password = randomBytes(4).toString('hex'),
}: {
  id?: string;
  password?: string;
}) {
  return {
    provider: 'smpp',
    id,
    secret: password,
    privateKey: '',
    groupId: '',
    inboundUrl: '',
  } satisfies VendorAccount;
}

/** Creates a phone with a gateway. Omitted values are random. */
export function createPhoneAccount({
  id = randomBytes(3).toString('hex').toUpperCase(),
  password = randomBytes(7).toString('hex'),
}: {
  id?: string;
  password?: string;
}) {
  return {
    provider: 'http',
    id,
    secret: password,
    privateKey: randomBytes(12).toString('base64url'),
    groupId: randomBytes(16).toString('hex'),
    inboundUrl: '',
  } satisfies VendorAccount;
}

function createRsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** Whether the text is a private key in PEM. */
export function isPrivateKey(pem: string): boolean {
  try {
    createPublicKey(pem);
    return true;
  } catch {
    return false;
  }
}
