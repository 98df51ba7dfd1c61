/** One scale for both sides of a chart: a message is as high above the line as below it. */
export interface ChartScale {
  /** The highest tick above the line and the lowest below it, both as counts. */
  above: number;
  below: number;
  /** Values above the line, the line itself, and negative ones below it; from top to bottom. */
  ticks: number[];
}

/** Ticks on the larger side. */
const TICKS = 3;

export function createChartScale(maxAbove: number, maxBelow: number): ChartScale {
  const step = niceStep(Math.max(maxAbove, maxBelow) / TICKS);
  const above = Math.ceil(maxAbove / step) * step;
  const below = Math.ceil(maxBelow / step) * step;
  const ticks: number[] = [];
  for (let value = above; value >= -below; value -= step) ticks.push(value);
  return { above, below, ticks };
}

/** The smallest of 1, 2 and 5, times a power of ten, that is not below `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10);
}
