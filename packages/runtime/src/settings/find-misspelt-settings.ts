import { SETTINGS } from './settings.ts';

export interface MisspeltSetting {
  /** The variable that is set and that no process reads. */
  setting: string;
  /** The setting that is probably meant. */
  similarTo: string;
}

/** In a shorter name two other letters make another word: `API_PORT` is no misspelt `OPS_PORT`. */
const LONG_NAME = 10;

/**
 * Finds the variables of an environment that no process reads and whose names are one or two
 * letters away from a setting's: such a setting silently keeps its default.
 */
export function findMisspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
): MisspeltSetting[] {
  const known = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env).flatMap((setting) => {
    if (known.includes(setting)) return [];
    const similarTo = known.find((name) => {
      const { length } = name.replace(/_FILE$/, '');
      return countEdits(setting, name) <= (length < LONG_NAME ? 1 : 2);
    });
    return similarTo === undefined ? [] : [{ setting, similarTo }];
  });
}

/** Counts the letters to insert, delete, replace or swap with their neighbour, at least. */
function countEdits(from: string, to: string): number {
  // More letters apart in length than is ever asked for.
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

/** Logs a line for each misspelt setting, because its default is used in its place. */
export function warnOfMisspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
  log: { warn(fields: { setting: string; similar_to: string }, message: string): void },
): void {
  for (const { setting, similarTo: similar_to } of findMisspeltSettings(env)) {
    log.warn({ setting, similar_to }, 'unknown setting has no effect');
  }
}
