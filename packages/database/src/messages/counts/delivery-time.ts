/** Times to delivery are counted in classes. The upper limit of the shortest class is this, … */
const SHORTEST_MS = 100;
/** … and the limit of each further class is this many times that of the one before. */
const RATIO = 1.05;

/** Returns the SQL for the class of a time in milliseconds. */
export const deliveryClassOf = (ms: string): string =>
  `CASE WHEN ${ms} <= ${SHORTEST_MS} THEN 0
    ELSE floor(ln((${ms}) / ${SHORTEST_MS}.0) / ln(${RATIO}))::int END`;

/**
 * Returns the middle of a class, in milliseconds: no time in the class differs from the middle by
 * more than 2.5 %.
 */
export const middleOfClass = (number: number): number => SHORTEST_MS * RATIO ** (number + 0.5);

/** Returns the class that contains the given share of all times; null without times. */
export function findQuantile(
  classes: readonly { number: number; count: number }[],
  share: number,
): number | null {
  const total = classes.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { number, count } of classes.toSorted((a, b) => a.number - b.number)) {
    seen += count;
    if (seen >= share * total) return number;
  }
  return null;
}
