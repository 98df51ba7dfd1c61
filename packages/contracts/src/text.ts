import { E164_PATTERN, isCountry, isPhoneNumber, readSenderKind } from '@switchboard/core';
import { text, textUpTo } from '@switchboard/providers/fields';
import { z } from 'zod';
import { readEmailAddress } from './email-address.ts';
import { trimName } from './plain-text.ts';

/**
 * String schemas. Each error text says what is expected, and becomes a sentence after a prefix such
 * as "`to` ". `meta` repeats what a refinement checks, for the OpenAPI document.
 */
export { text, textUpTo };

/** A trimmed text with at least one visible character. */
export const nameUpTo = (characters: number) =>
  text()
    .transform(trimName)
    .refine((value) => value.length > 0 && value.length <= characters, {
      error: `must have 1 to ${characters} characters`,
    })
    .meta({ minLength: 1, maxLength: characters });

export const phoneNumber = () =>
  z
    .string('must be a string')
    .refine(isPhoneNumber, {
      error: 'must be a phone number in E.164 format, such as +15551234567',
    })
    .meta({ pattern: E164_PATTERN, examples: ['+15551234567'] });

export const country = () =>
  z
    .string('must be a string')
    .refine(isCountry, {
      error: 'must be the ISO 3166 alpha-2 code of a country, such as US, in capital letters',
    })
    .meta({ pattern: '^[A-Z]{2}$', examples: ['US'] });

/** A phone number, a short code or an alphanumeric sender ID. */
export const sender = () =>
  z
    .string('must be a string')
    .refine((value) => readSenderKind(value) !== null, {
      error:
        'must be a phone number in E.164 format, such as +15551234567, a short code of 3 to 8 digits, or a sender ID of at most 11 characters with a letter',
    })
    .meta({ examples: ['+15551234567'] });

export const email = () =>
  textUpTo(254)
    .transform(readEmailAddress)
    .refine((address) => address !== null, {
      error:
        'must be an email address, such as ada@example.com, without letters outside ASCII before the @',
    })
    .meta({ minLength: 6, maxLength: 254, format: 'email', examples: ['ada@example.com'] });
