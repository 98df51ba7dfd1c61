import { AppError } from '@switchboard/core';
import type { JsonObject } from '../http/parse-object.ts';
import { PATH_RULE, type ValuePath, isValuePath } from './value-path.ts';

const MAX_PATHS = 10;
const MAX_TEXTS = 20;

/** Returns an error for a parameter that is present but wrong. */
export function invalid(parameter: string, expected: string): AppError {
  return new AppError('invalid_params', `\`${parameter}\` ${expected}`);
}

export function missing(parameter: string): AppError {
  return new AppError('missing_params', `Missing required parameter: \`${parameter}\``);
}

export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** Returns the value if it is an object. Throws an error that names the parameter otherwise. */
export function requireObject(value: unknown, parameter: string): JsonObject {
  if (isAbsent(value)) throw missing(parameter);
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(parameter, 'must be an object');
  }
  return { ...value };
}

function isListOf(
  value: unknown,
  longest: number,
  isItem: (each: unknown) => boolean,
): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= longest && value.every(isItem);
}

function readValuePath(parameter: string, value: unknown): ValuePath {
  const isPath = (each: unknown) => typeof each === 'string' && isValuePath(each);
  if (isPath(value) || isListOf(value, MAX_PATHS, isPath)) return value as ValuePath;
  throw invalid(parameter, `must be ${PATH_RULE}, or a list of 1 to ${MAX_PATHS} of these`);
}

/** Reads the fields of one section of the credentials. Each error names its field. */
export function readFields(section: string, fields: JsonObject) {
  const nameOf = (name: string) => `${section}.${name}`;

  function optionalText(name: string, longest: number): string | null {
    const value = fields[name];
    if (isAbsent(value)) return null;
    if (typeof value !== 'string' || value.length > longest || !value.isWellFormed()) {
      throw invalid(nameOf(name), `must be a string of at most ${longest} characters`);
    }
    return value;
  }

  function text(name: string, longest: number): string {
    const value = optionalText(name, longest);
    if (value === null) throw missing(nameOf(name));
    return value;
  }

  /** Reads a path, or a list of paths of which the first that finds a value counts. */
  function optionalPath(name: string): ValuePath | null {
    const value = fields[name];
    return isAbsent(value) ? null : readValuePath(nameOf(name), value);
  }

  /** Reads a list of texts; null if it is absent. */
  function optionalTexts(name: string): readonly string[] | null {
    const value = fields[name];
    if (isAbsent(value)) return null;
    const isText = (each: unknown) => typeof each === 'string' && each !== '' && each.length <= 64;
    if (isListOf(value, MAX_TEXTS, isText)) return value as string[];
    throw invalid(
      nameOf(name),
      `must be a list of 1 to ${MAX_TEXTS} strings of at most 64 characters`,
    );
  }

  return {
    text,
    optionalText,
    optionalTexts,
    optionalPath,

    path(name: string): ValuePath {
      const value = optionalPath(name);
      if (value === null) throw missing(nameOf(name));
      return value;
    },

    choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
      const value = text(name, 100);
      const found = choices.find((choice) => choice === value);
      if (found === undefined) throw invalid(nameOf(name), `must be one of ${choices.join(', ')}`);
      return found;
    },

    /** Reads a list of paths, each of which may be a list itself. */
    optionalPaths(name: string): readonly ValuePath[] | null {
      const value = fields[name];
      if (isAbsent(value)) return null;
      if (isListOf(value, MAX_PATHS, () => true)) {
        return value.map((each, index) => readValuePath(`${nameOf(name)}[${index}]`, each));
      }
      throw invalid(nameOf(name), `must be a list of 1 to ${MAX_PATHS} paths`);
    },

    optionalPattern(name: string, pattern: RegExp, expected: string): string | null {
      const value = optionalText(name, 1_024);
      if (value === null || pattern.test(value)) return value;
      throw invalid(nameOf(name), `must be ${expected}`);
    },

    /** Reads HTTP statuses of one class, for example from 200 to 299. */
    statuses(name: string, first: number, excluded: readonly number[] = []): number[] {
      const value = fields[name];
      if (isAbsent(value)) throw missing(nameOf(name));
      const isStatus = (each: unknown): each is number =>
        Number.isInteger(each) &&
        Math.floor(Number(each) / 100) * 100 === first &&
        !excluded.includes(Number(each));
      if (isListOf(value, 20, isStatus)) return [...new Set(value as number[])];
      const except = excluded.length === 0 ? '' : `, except ${excluded.join(' and ')}`;
      throw invalid(
        nameOf(name),
        `must be a list of 1 to 20 HTTP statuses from ${first} to ${first + 99}${except}`,
      );
    },
  };
}
