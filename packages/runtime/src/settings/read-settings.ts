import { readFileSync } from 'node:fs';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings can't be used. The message names each wrong setting on a line of its own. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One line per setting that is wrong, `NAME: what is wrong`. Never holds a value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The settings are not usable:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

export interface InspectedSettings<Values> {
  /** The settings that are usable on their own. All of them, with defaults, when there is no problem. */
  usable: Partial<Values>;
  /** What is wrong with each other setting, by its name. Never holds a value. */
  problems: ReadonlyMap<string, string>;
}

/**
 * Reads the settings a schema names from an environment. A setting may come from a file instead:
 * `NAME_FILE` holds its path, and the trimmed content counts. An empty variable counts as absent,
 * because that is what compose files make of an unset one.
 * Throws a `SettingsError` that names every problem.
 */
export function readSettings<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
): z.output<z.ZodObject<Shape>> {
  const { usable, problems } = inspectSettings(schema, env);
  if (problems.size === 0) return usable as z.output<z.ZodObject<Shape>>;
  throw new SettingsError([...problems].map(([name, problem]) => `${name}: ${problem}`));
}

/** Does what `readSettings` does, and keeps what is usable when something is wrong. */
export function inspectSettings<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
): InspectedSettings<z.output<z.ZodObject<Shape>>> {
  type Values = z.output<z.ZodObject<Shape>>;
  const problems = new Map<string, string>();
  const values: Record<string, string> = {};

  for (const name of Object.keys(schema.shape)) {
    const read = readOne(name, env);
    if ('problem' in read) problems.set(name, read.problem);
    else if (read.value !== undefined) values[name] = read.value;
  }

  const parsed = schema.safeParse(values);
  if (parsed.success && problems.size === 0) return { usable: parsed.data, problems };

  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'settings');
    // The first problem of a setting is the one that explains the others.
    if (problems.has(name)) continue;
    problems.set(name, name in schema.shape && !(name in values) ? 'is required' : issue.message);
  }
  const usable = Object.entries(schema.shape).flatMap(([name, field]) => {
    const one = problems.has(name) ? null : z.safeParse(field, values[name]);
    return one?.success === true ? [[name, one.data]] : [];
  });
  return { usable: Object.fromEntries(usable) as Partial<Values>, problems };
}

function readOne(
  name: string,
  env: Environment,
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
