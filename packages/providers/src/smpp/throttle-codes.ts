import { AppError } from '@switchboard/core';

import { readOptionalCredential } from '../http/read-credential.ts';
import type { Input } from './read-typed-credential.ts';

const MAX_CODES = 20;
const CODE = /^(0x[\da-f]{1,8}|\d{1,10})$/i;
const MAX_STATUS = 0xffffffff;

/**
 * Reads a list of values of `command_status`, in hexadecimal or decimal: `0x0403, 1028`.
 *
 * @throws AppError `invalid_params`, naming the parameter
 */
export function readCodes(input: Input, name: string): number[] {
  const texts = (readOptionalCredential(input, name) ?? '').split(/[\s,]+/).filter(Boolean);
  const codes = texts.map((text) => (CODE.test(text) ? Number(text) : 0));
  if (codes.length <= MAX_CODES && codes.every((code) => code > 0 && code <= MAX_STATUS)) {
    return [...new Set(codes)];
  }
  const detail = `\`${name}\` must be at most ${MAX_CODES} error codes, separated by commas, for example 0x0403, 0x0404`;
  throw new AppError('invalid_params', detail);
}

/** Writes the codes as `readCodes` reads them; null for none. */
export function formatCodes(codes: readonly number[]): string | null {
  const texts = codes.map((code) => `0x${code.toString(16).padStart(4, '0')}`);
  return texts.length === 0 ? null : texts.join(', ');
}
