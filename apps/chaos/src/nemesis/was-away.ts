import type { FaultRecord } from './run-faults.ts';

interface Span {
  fromMs: number;
  toMs: number;
}

/** Until the processes have noticed that PostgreSQL is back. */
const NOTICED_MS = 3_000;

/** An API that is stopped still takes connections, and holds a request for as long. */
const HELD_MS = 4_000;

/**
 * Whether for some of that time no API could store anything, for want of a database or of an API, or
 * a stopped API may have held the request.
 */
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
  const held = during.some((one) => {
    const own = one.fault.kind.startsWith('freeze') ? overlap(one, span) : null;
    return own !== null && own.toMs - own.fromMs >= HELD_MS;
  });
  return database || held || common.length > 0;
}

function overlap(a: Span, b: Span): Span | null {
  const fromMs = Math.max(a.fromMs, b.fromMs);
  const toMs = Math.min(a.toMs, b.toMs);
  return fromMs <= toMs ? { fromMs, toMs } : null;
}
