import { SETTINGS } from './settings.ts';

export interface MisspelledSetting {
  /** The variable, which is set but which no process reads. */
  setting: string;
  /** The setting that is probably meant. */
  similarTo: string;
}

/**
 * A shorter name with two other letters may be another word: `API_PORT` is not a misspelled `OPS_PORT`.
 */
const LONG_NAME = 10;

/** A variable of other programs, which differs from `HTTPS_PROXY` by one letter. */
const FOREIGN = ['HTTP_PROXY'];

/**
 * Finds variables that no process reads and whose names differ from a setting by one or two letters.
 * Such a setting silently keeps its default.
 */
export function findMisspelledSettings(
  env: Readonly<Record<string, string | undefined>>,
): MisspelledSetting[] {
  const known = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env).flatMap((setting) => {
    if (known.includes(setting) || FOREIGN.includes(setting)) return [];
    const similarTo = known.find((name) => {
      const { length } = name.replace(/_FILE$/, '');
      return countEdits(setting, name) <= (length < LONG_NAME ? 1 : 2);
    });
    return similarTo === undefined ? [] : [{ setting, similarTo }];
  });
}

/** Returns the minimum number of letters to insert, delete, replace or swap with the next one. */
function countEdits(from: string, to: string): number {
  // Callers do not distinguish greater distances.
  if (Math.abs(from.length - to.length) > 2) return Infinity;
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line.push(
        Math.min(
          (rows[row - 1]?.[column] ?? Infinity) + 1,
          (line[column - 1] ?? Infinity) + 1,
          (rows[row - 1]?.[column - 1] ?? Infinity) + (isSame ? 0 : 1),
          isSwap ? (rows[row - 2]?.[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    rows.push(line);
  }
  return rows[from.length]?.[to.length] ?? Infinity;
}

/** Logs a warning for each misspelled setting, because its default is used instead. */
export function warnOfMisspelledSettings(
  env: Readonly<Record<string, string | undefined>>,
  log: { warn(fields: { setting: string; similar_to: string }, message: string): void },
): void {
  for (const { setting, similarTo: similar_to } of findMisspelledSettings(env)) {
    log.warn({ setting, similar_to }, 'unknown setting has no effect');
  }
}
