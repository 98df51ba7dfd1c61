import { AppError } from '@switchboard/core';

export type Input = Readonly<Record<string, unknown>>;

export interface NumberLimits {
  min: number;
  max: number;
}

/** @throws AppError `missing_params` or `invalid_params`, naming the parameter */
export function requireNumber(input: Input, name: string, limits: NumberLimits): number {
  const value = readNumber(input, name, limits);
  if (value === null) throw missing(name);
  return value;
}

/** @throws AppError `invalid_params`, naming the parameter */
export function readNumber(input: Input, name: string, { min, max }: NumberLimits): number | null {
  const { [name]: value = null } = input;
  if (isAbsent(value)) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  const detail = `\`${name}\` must be an integer from ${min} to ${max}`;
  throw new AppError('invalid_params', detail);
}

/** @throws AppError `missing_params` or `invalid_params`, naming the parameter */
export function requireFlag(input: Input, name: string): boolean {
  const { [name]: value = null } = input;
  if (isAbsent(value)) throw missing(name);
  if (typeof value === 'boolean') return value;
  throw new AppError('invalid_params', `\`${name}\` must be true or false`);
}

/** @throws AppError `invalid_params`, naming the parameter */
export function readChoice<Choice extends string>(
  input: Input,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const { [name]: value = null } = input;
  if (isAbsent(value)) return null;
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw new AppError('invalid_params', `\`${name}\` must be one of ${choices.join(', ')}`);
}

function isAbsent(value: unknown): boolean {
  return value === null || value === '';
}

function missing(name: string): AppError {
  return new AppError('missing_params', `Missing required parameters: \`${name}\``);
}
