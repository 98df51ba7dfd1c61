import { AppError } from '@switchboard/core';
import type { z } from 'zod';
import { VENDORS, type VendorType, findVendor, listVendors } from '@switchboard/providers/vendors';
import { parseBody } from './parse-request.ts';
import { fieldsOf, isRequired } from './routes/fields-of.ts';

export const PROVIDER_TYPES = Object.keys(VENDORS) as [VendorType, ...VendorType[]];

/** Lists the fields of the credentials of each type, for the API reference. */
export function describeAllCredentials(): string {
  const types = listVendors().map(([type, vendor]) => {
    const fields = fieldsOf<string, z.ZodType>(vendor.credentials.shape).map(
      ([name, field]) => `${name}${isRequired(field) ? '' : '?'}`,
    );
    return `\`${type}\` ${vendor.credentialsNote ?? `\`{ ${fields.join(', ')} }\``}`;
  });
  return `By type: ${types.join(', ')}`;
}

/**
 * Parses the credentials of a provider type.
 *
 * @throws AppError that names the field as the request does, for example `credentials.auth_token`
 */
export function parseProviderCredentials(type: string, given: object): Record<string, unknown> {
  const vendor = findVendor(type);
  if (vendor === null) throw new Error(`this version has no vendor ${type}`);
  return withCredentialNames(() => parseBody(vendor.credentials, given));
}

/**
 * Calls a function, and adds `credentials.` to the field names in its errors, as in the request.
 */
export function withCredentialNames<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = error.message.replaceAll(/`([\w.[\]-]+)`/g, '`credentials.$1`');
    throw new AppError(error.code, detail, { cause: error });
  }
}
