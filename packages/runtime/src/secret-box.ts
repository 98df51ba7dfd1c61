import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The owner of a secret. A sealed secret can only be opened for the same owner and field. */
export type SecretOwner = ({ workspaceId: string } | { userId: string }) & { field: string };

export function idOf(owner: SecretOwner): string {
  return 'userId' in owner ? owner.userId : owner.workspaceId;
}

/** The owner of the secret that an authenticator app has. */
export function ofTotpSecret(userId: string): SecretOwner {
  return { userId, field: 'totp_secret' };
}

export interface SecretBox {
  /** The configured keys in their order, as `<version>:<fingerprint>`. They do not reveal the keys. */
  readonly keyIds: readonly string[];
  /**
   * Encrypts a text. Returns `v<key version>.<nonce>.<ciphertext>.<tag>`, the last three in base64url.
   * `readers` has the key ids of each process that must open the text. Uses the first key that all of
   * them have, or the first key if there is none.
   */
  seal(plaintext: string, owner: SecretOwner, readers?: readonly (readonly string[])[]): string;
  /**
   * Decrypts a text.
   *
   * @throws SecretBoxError if the text was altered, or sealed with another owner or key
   */
  open(sealed: string, owner: SecretOwner): string;
  /** Returns whether the text was sealed with the first key. */
  isSealedByNewest(sealed: string): boolean;
}

export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
}

/**
 * Creates a box that uses AES-256-GCM. `secretKeys` is one key of 32 bytes in base64, which has version
 * 1, or several with their versions, `2:<base64>,1:<base64>`: the first key seals, all keys open.
 * docs/secrets.md describes the rotation and when an old key can be removed.
 */
export function createSecretBox(secretKeys: string): SecretBox {
  const keys = parseSecretKeys(secretKeys);
  const [newest] = keys ?? [];
  if (keys === null || newest === undefined) {
    throw new SecretBoxError('the secret key is not 32 bytes in base64');
  }
  const keyOf = new Map(keys.map(({ version, key }) => [version, key]));
  const keyIds = keys.map(({ version, key }) => `${version}:${fingerprint(key)}`);

  return {
    keyIds,

    seal(plaintext, owner, readers = []) {
      const isShared = (id: string) => readers.every((reader) => reader.includes(id));
      const { version, key } = keys.find((_, index) => isShared(keyIds[index] ?? '')) ?? newest;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(version, owner));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const parts = [nonce, body, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return `v${version}.${parts.join('.')}`;
    },

    open(sealed, owner) {
      const match = /^v([1-9]\d{0,3})\.([\w-]+)\.([\w-]*)\.([\w-]+)$/.exec(sealed);
      if (match === null) throw new SecretBoxError('the sealed text is malformed');
      const [version, nonce, body, tag] = [
        Number(match[1]),
        ...match.slice(2).map((part) => Buffer.from(part, 'base64url')),
      ] as [number, Buffer, Buffer, Buffer];
      const key = keyOf.get(version);
      if (key === undefined) throw new SecretBoxError(`key version ${version} is not configured`);
      // Without this check, the decipher would accept a short tag.
      if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) {
        throw new SecretBoxError('the sealed text is malformed');
      }
      const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(version, owner));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SecretBoxError(
          'the sealed text was altered, or sealed with another key or owner',
          {
            cause,
          },
        );
      }
    },
    isSealedByNewest: (sealed) => sealed.startsWith(`v${newest.version}.`),
  };
}

/** Parses the keys of `createSecretBox`. Returns null if their format is wrong. */
export function parseSecretKeys(text: string): { version: number; key: Buffer }[] | null {
  const keys = text.split(',').map((entry) => {
    const match = /^(?:([1-9]\d{0,3}):)?([A-Za-z0-9+/]{43}=)$/.exec(entry.trim());
    return match === null
      ? null
      : { version: Number(match[1] ?? 1), key: Buffer.from(match[2] ?? '', 'base64') };
  });
  const valid = keys.filter((key) => key !== null);
  const distinct = new Set(valid.map(({ version }) => version)).size === keys.length;
  return valid.length === keys.length && distinct ? valid : null;
}

/** Returns the keys, of which each can sign and verify; none if their format is wrong. */
export function listSecretKeys(text: string): Buffer[] {
  return (parseSecretKeys(text) ?? []).map(({ key }) => key);
}

/** Returns an id that distinguishes different keys with the same version. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update('switchboard key id').update(key).digest('hex').slice(0, 12);
}

function associatedData(version: number, owner: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify([version, idOf(owner), owner.field]), 'utf8');
}
