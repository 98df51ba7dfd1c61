import { AppError } from '@switchboard/core';

const LONGEST = 8_192;

type Input = Readonly<Record<string, unknown>>;

/** @throws AppError `missing_params` or `invalid_params`, naming the parameter */
export function requireCredential(input: Input, name: string): string {
  const value = input[name];
  if (value === undefined || value === null || value === '') {
    throw new AppError('missing_params', `Missing required parameters: \`${name}\``);
  }
  return readText(value, name);
}

/** @throws AppError `invalid_params`, naming the parameter */
export function readOptionalCredential(input: Input, name: string): string | null {
  const { [name]: value = null } = input;
  return value === null || value === '' ? null : readText(value, name);
}

function readText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > LONGEST || !value.isWellFormed()) {
    throw new AppError(
      'invalid_params',
      `\`${name}\` must be a string of at most ${LONGEST} characters`,
    );
  }
  return value.trim();
}

/** Returns the last 4 characters of a secret that is long enough to show them, otherwise nothing. */
export function toLast4(secret: string): string {
  return secret.length >= 12 ? secret.slice(-4) : '';
}
