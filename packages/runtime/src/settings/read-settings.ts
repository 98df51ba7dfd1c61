import { readFileSync } from 'node:fs';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings are invalid. The message names each invalid setting on its own line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** One line for each invalid setting, `NAME: what is wrong`. Never contains a value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The settings are not usable:', ...problems.map((line) => `  ${line}`)].join('\n'));
    this.problems = problems;
  }
}

export interface InspectedSettings<Values> {
  /**
   * The settings that are valid by themselves. If there are no problems, these are all settings,
   * with their defaults.
   */
  usable: Partial<Values>;
  /** The problem of each other setting, by its name. Never contains a value. */
  problems: ReadonlyMap<string, string>;
}

/**
 * Reads the settings of a schema from an environment. A setting may also come from a file: `NAME_FILE`
 * is its path. Each is cleaned by `cleanSetting`. An empty value counts as absent, because compose files
 * set unset variables to an empty text.
 *
 * @throws SettingsError that names every problem
 */
export function readSettings<Shape extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
): z.output<z.ZodObject<Shape>> {
  const { usable, problems } = inspectSettings(schema, env);
  if (problems.size === 0) return usable as z.output<z.ZodObject<Shape>>;
  throw new SettingsError([...problems].map(([name, problem]) => `${name}: ${problem}`));
}

/** Reads settings like `readSettings`, but returns the usable settings and the problems. */
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
    // The first problem of a setting explains its other problems.
    if (problems.has(name)) continue;
    problems.set(name, name in schema.shape && !(name in values) ? 'is required' : issue.message);
  }
  const usable = Object.entries(schema.shape).flatMap(([name, field]) => {
    const one = problems.has(name) ? null : z.safeParse(field, values[name]);
    return one?.success === true ? [[name, one.data]] : [];
  });
  return { usable: Object.fromEntries(usable) as Partial<Values>, problems };
}

/**
 * Removes what surrounds a value by accident: white space, line ends, a byte order mark, and one pair of
 * quotes, which `docker run --env-file` and systemd's drop-ins keep. Returns undefined if nothing is left.
 */
function cleanSetting(text: string | undefined): string | undefined {
  const trimmed = trim(text ?? '');
  const quoted = /^(["'])(?<inner>[^]*)\1$/.exec(trimmed)?.groups?.['inner'];
  return (quoted === undefined ? trimmed : trim(quoted)) || undefined;
}

/** Also removes U+200B and U+0000, which `String.prototype.trim` keeps. It removes U+FEFF. */
function trim(text: string): string {
  return text.replace(/^[\s\u200b\0]+|[\s\u200b\0]+$/g, '');
}

/** The proxy settings of curl, Go and others have two forms, and the other one is in lower case. */
function toLowerForm(name: string): string {
  return /^(HTTPS|NO)_PROXY$/.test(name) ? name.toLowerCase() : name;
}

function readOne(
  name: string,
  env: Environment,
): { value: string | undefined } | { problem: string } {
  const value = cleanSetting(env[toLowerForm(name)]) ?? cleanSetting(env[name]);
  const file = cleanSetting(env[`${name}_FILE`]);
  if (file === undefined) return { value };
  if (value !== undefined) return { problem: `is set twice, here and by ${name}_FILE` };
  try {
    return { value: cleanSetting(readFileSync(file, 'utf8')) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return { problem: `the file named by ${name}_FILE can't be read (${code})` };
  }
}
