import type { FaultRecord } from './run-faults.ts';

interface Span {
  fromMs: number;
  toMs: number;
}

/** Until the processes have noticed that PostgreSQL is back. */
const NOTICED_MS = 3_000;

/** Whether for some of that time no API could store anything: no database, or no API. */
export function wasAway(
  happened: readonly FaultRecord[],
  apis: readonly string[],
  span: Span,
): boolean {
  const during = happened.filter((one) => overlap(one, span) !== null);
  const database = happened.some(
    ({ fault, fromMs, toMs }) =>
      fault.kind.startsWith('postgres_') &&
      overlap({ fromMs, toMs: toMs + NOTICED_MS }, span) !== null,
  );
  const common = apis.reduce<Span[]>(
    (spans, name) => {
      const own = during.filter(({ fault }) => 'target' in fault && fault.target === name);
      return spans.flatMap((one) => own.flatMap((other) => overlap(one, other) ?? []));
    },
    [span],
  );
  return database || common.length > 0;
}

function overlap(a: Span, b: Span): Span | null {
  const fromMs = Math.max(a.fromMs, b.fromMs);
  const toMs = Math.min(a.toMs, b.toMs);
  return fromMs <= toMs ? { fromMs, toMs } : null;
}
