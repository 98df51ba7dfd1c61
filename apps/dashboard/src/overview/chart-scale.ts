/** The scale of a chart with values above and below a zero line, in the same unit. */
export interface ChartScale {
  /** The highest tick above the zero line and the lowest below it, both as positive counts. */
  above: number;
  below: number;
  /** Tick values from top to bottom; values below the zero line are negative. */
  ticks: number[];
}

/** The number of ticks on the larger side. */
const TICKS = 3;

export function createChartScale(maxAbove: number, maxBelow: number): ChartScale {
  const step = niceStep(Math.max(maxAbove, maxBelow) / TICKS);
  const above = Math.ceil(maxAbove / step) * step;
  const below = Math.ceil(maxBelow / step) * step;
  const ticks: number[] = [];
  for (let value = above; value >= -below; value -= step) ticks.push(value);
  return { above, below, ticks };
}

/** Returns the smallest value of at least `least` that is 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
