import { createHmac } from 'node:crypto';
import { type HashErased, ERASED } from '@switchboard/core';
import { parseSecretKeys } from './secret-box.ts';

const PURPOSE = 'switchboard erased numbers';

/**
 * Creates the keyed hash of the numbers of erased people, with keys that are derived from the keys of `SECRET_KEY`. A
 * number cannot be hashed again once it is erased, so an older key must stay configured as long as hashes by it exist.
 */
export function createHashErased(secretKeys: string): HashErased {
  const keys = (parseSecretKeys(secretKeys) ?? []).map(({ version, key }) => ({
    prefix: `${ERASED}:${version}:`,
    key: createHmac('sha256', key).update(PURPOSE).digest(),
  }));
  return (text) =>
    keys.map(
      ({ prefix, key }) => prefix + createHmac('sha256', key).update(text).digest('base64url'),
    );
}
