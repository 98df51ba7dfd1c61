import { formatValue } from '../format-value.ts';
import type { Figure } from '../scenario.ts';

/** Keeps the figures for the report and prints each immediately: a run takes half an hour and may be interrupted. */
export function collectFigures(onProgress: (what: string) => void): {
  figures: readonly Figure[];
  add(...measured: Figure[]): void;
} {
  const figures: Figure[] = [];
  return {
    figures,
    add(...measured) {
      figures.push(...measured);
      for (const figure of measured) onProgress(`${figure.name}: ${formatValue(figure)}`);
    },
  };
}
