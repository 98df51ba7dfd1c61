import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** What the environment says is wrong. The message is meant for people: one line per setting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One line per setting that is wrong, `NAME: what is wrong`. Never holds a value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The settings are not usable:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads the settings a schema names from an environment, all problems at once. A setting may come
 * from a file instead: `NAME_FILE` holds its path, and the trimmed content counts. An empty
 * variable counts as absent, because that is what compose files make of an unset one.
 */
export function readSettings<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  env: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const problems = new Map<string, string>();
  const values: Record<string, string> = {};

  for (const name of Object.keys(schema.shape)) {
    const read = readOne(name, env);
    if ('problem' in read) problems.set(name, read.problem);
    else if (read.value !== undefined) values[name] = read.value;
  }

  const parsed = schema.safeParse(values);
  if (parsed.success && problems.size === 0) return parsed.data;

  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'settings');
    // The first problem of a setting is the one that explains the others.
    if (problems.has(name)) continue;
    problems.set(name, name in schema.shape && !(name in values) ? 'is required' : issue.message);
  }
  throw new SettingsError([...problems].map(([name, problem]) => `${name}: ${problem}`));
}

function readOne(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): { value: string | undefined } | { problem: string } {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return { value };
  if (value !== undefined) return { problem: `is set twice, here and by ${name}_FILE` };
  try {
    return { value: readFileSync(file, 'utf8').trim() || undefined };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { problem: `the file named by ${name}_FILE can't be read (${code})` };
  }
}
