import type { ShutdownPhase } from '../shutdown.ts';

/**
 * Must not contain a secret, a body or a complete phone number, which readers of traces must not
 * see.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** The parent as a W3C `traceparent`. Null, or a malformed one, starts a new trace. */
  parent: string | null;
  /** Unix milliseconds, for work that began before its trace was known. By default now. */
  startedAt?: number;
  attributes?: SpanAttributes;
}

export interface SpanEnd {
  attributes?: SpanAttributes;
  /** Why the work failed, in a few words. */
  failure?: string;
}

export interface Span {
  /** A W3C `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header). */
  readonly traceParent: string;
  readonly traceId: string;
  setAttributes(attributes: SpanAttributes): void;
  end(end?: SpanEnd): void;
}

/** Callers have `Tracer | null`: without traces, the only cost is a comparison. */
export interface Tracer {
  startSpan(name: string, start: SpanStart): Span;
  /** Exports the remaining spans, within that time. Never rejects. */
  close(timeoutMs: number): Promise<void>;
}

const LAST_EXPORT_MS = 2_000;

/** Returns the last phase of a process's shutdown; none without a tracer. */
export function exportTraces(tracer: Tracer | null): ShutdownPhase[] {
  if (tracer === null) return [];
  const run = (): Promise<void> => tracer.close(LAST_EXPORT_MS);
  return [{ name: 'export traces', timeoutMs: LAST_EXPORT_MS + 500, run }];
}

/** Returns the result of the work. If there is a span, records the result in it and ends it. */
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
    // The message may quote private data; the log has it, redacted.
    span.end({ failure: error instanceof Error ? error.name : 'error' });
    throw error;
  }
}

/** Returns the trace id of a `traceparent`, for log lines. */
export function traceIdOf(traceParent: string): string {
  return traceParent.slice(3, 35);
}
