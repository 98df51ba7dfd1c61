import { readFile } from 'node:fs/promises';
import { shortenWindows } from './shorten.ts';
import type { Prometheus } from './start-prometheus.ts';

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Four scrape intervals, as in Grafana. */
const RATE_INTERVAL = '4s';

/** Returns the panels of the dashboard with their queries, adapted to the shortened windows. */
export async function readPanels(file: string): Promise<{ title: string; queries: string[] }[]> {
  const { panels } = JSON.parse(await readFile(file, 'utf8')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.length === 0
      ? []
      : {
          title,
          queries: targets.map(({ expr }) =>
            shortenWindows(expr).replaceAll('$__rate_interval', RATE_INTERVAL),
          ),
        },
  );
}

export type Panels = Awaited<ReturnType<typeof readPanels>>;
type Span = { from: Date; to: Date };

/** Returns the panels with a query that returned no data. */
export async function findEmptyPanels(
  prometheus: Pick<Prometheus, 'readRange'>,
  panels: Panels,
  span: Span,
): Promise<string[]> {
  const empty: string[] = [];
  for (const { title, queries } of panels) {
    for (const query of queries) {
      const series = await prometheus.readRange(query, span);
      if (!series.some(({ values }) => values.length > 0)) empty.push(`${title}: ${query}`);
    }
  }
  return empty;
}

/** Returns the panels whose values never rose above zero. */
export async function findFlatPanels(
  prometheus: Pick<Prometheus, 'readRange'>,
  panels: Panels,
  span: Span,
): Promise<string[]> {
  const flat: string[] = [];
  for (const { title, queries } of panels) {
    let isFlat = true;
    for (const query of queries) {
      const series = await prometheus.readRange(query, span);
      if (series.some(({ values }) => values.some((value) => value > 0))) isFlat = false;
    }
    if (isFlat) flat.push(title);
  }
  return flat;
}
