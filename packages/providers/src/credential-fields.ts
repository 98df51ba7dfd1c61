import { isStorable } from '@switchboard/core';
import { z } from 'zod';

/**
 * Schemas of credentials; `contracts` has other fields of requests, and uses the first two. Each error text says what is expected, and becomes a sentence after a prefix such
 * as "`port` ". `meta` repeats what a refinement checks, for the OpenAPI document.
 */
export const text = () =>
  z
    .string('must be a string')
    .refine(isStorable, { error: 'must not contain NUL or lone surrogates' });

export const textUpTo = (characters: number) =>
  text()
    .refine((value) => value.length <= characters, {
      error: `must have at most ${characters} characters`,
    })
    .meta({ maxLength: characters });

export const matching = (pattern: string, error: string) =>
  text()
    .refine((value) => new RegExp(pattern).test(value), { error })
    .meta({ pattern });

/** A secret without spaces, as the provider shows it. */
export const token = () =>
  matching(
    String.raw`^[\x21-\x7e]{1,256}$`,
    'must have 1 to 256 printable ASCII characters, without spaces',
  );

/** Printable ASCII characters, without the spaces around them. */
export const asciiUpTo = (characters: number) => {
  const pattern = String.raw`^[\x20-\x7e]{1,${characters}}$`;
  return text()
    .transform((value) => value.trim())
    .refine((value) => new RegExp(pattern).test(value), {
      error: `must have 1 to ${characters} printable ASCII characters`,
    })
    .meta({ pattern });
};

export const integer = (min: number, max: number) => {
  const error = `must be an integer from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

export const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`);
