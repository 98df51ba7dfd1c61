import type { ShutdownPhase } from '../shutdown.ts';

/** Never a secret, a body or a whole phone number: whoever reads traces may read none of them. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** What it is part of, in W3C's form; null, and what can't be read, begin a trace. */
  parent: string | null;
  /** Unix milliseconds, for what began before its trace was known. Default now. */
  startedAt?: number;
  attributes?: SpanAttributes;
}

export interface SpanEnd {
  attributes?: SpanAttributes;
  /** In a few words, where what it stands for did not succeed. */
  failure?: string;
}

export interface Span {
  /** In W3C's form (https://www.w3.org/TR/trace-context/#traceparent-header). */
  readonly traceParent: string;
  readonly traceId: string;
  setAttributes(attributes: SpanAttributes): void;
  end(end?: SpanEnd): void;
}

/** Null wherever no traces are made, which costs a comparison. */
export interface Tracer {
  startSpan(name: string, start: SpanStart): Span;
  /** Hands out what it still holds, in at most that time. Never rejects. */
  close(timeoutMs: number): Promise<void>;
}

const LAST_EXPORT_MS = 2_000;

/** The last of a process's phases; none where no traces are made. */
export function exportTraces(tracer: Tracer | null): ShutdownPhase[] {
  if (tracer === null) return [];
  const run = (): Promise<void> => tracer.close(LAST_EXPORT_MS);
  return [{ name: 'export traces', timeoutMs: LAST_EXPORT_MS + 500, run }];
}

/** The work's own promise. The span, where there is one, ends with it. */
export function endWith<T>(
  span: Span | undefined,
  work: Promise<T>,
  describe?: (result: T) => SpanEnd,
): Promise<T> {
  return span === undefined ? work : endAfter(span, work, describe);
}

async function endAfter<T>(
  span: Span,
  work: Promise<T>,
  describe: ((result: T) => SpanEnd) | undefined,
): Promise<T> {
  try {
    const result = await work;
    span.end(describe?.(result));
    return result;
  } catch (error) {
    // Its text may quote what it failed on; the log has it, redacted.
    span.end({ failure: error instanceof Error ? error.name : 'error' });
    throw error;
  }
}

/** The trace that a `traceparent` names, for log lines. */
export function traceIdOf(traceParent: string): string {
  return traceParent.slice(3, 35);
}
