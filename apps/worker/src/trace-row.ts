import type { TraceableRow } from '@switchboard/database';
import { type Span, type Tracer, traceIdOf } from '@switchboard/runtime';

type Row = Pick<TraceableRow, 'id' | 'workspaceId' | 'attempt' | 'traceParent'>;

/**
 * Starts a span in the trace in which the message was accepted. The trace context is in the row, so
 * a lost hint, a crash or a restart does not break the trace. A row without a trace starts no span.
 */
export function startRowSpan(
  tracer: Tracer | null,
  name: string,
  { id, workspaceId, attempt, traceParent }: Row,
  start: { kind?: 'client' | 'consumer'; startedAt?: number } = {},
): Span | undefined {
  if (tracer === null || traceParent === null) return undefined;
  return tracer.startSpan(name, {
    ...start,
    parent: traceParent,
    attributes: {
      'switchboard.message_id': id,
      'switchboard.workspace_id': workspaceId,
      'switchboard.attempt': attempt,
    },
  });
}

/** Starts a child of `span`. */
export function startPart(
  tracer: Tracer | null,
  name: string,
  span: Span | undefined,
  start: { kind?: 'client'; startedAt?: number } = {},
): Span | undefined {
  return span && tracer?.startSpan(name, { ...start, parent: span.traceParent });
}

/** Returns the trace fields for log lines about a row. */
export function traceFields({ traceParent }: Pick<Row, 'traceParent'>): { trace_id?: string } {
  return traceParent === null ? {} : { trace_id: traceIdOf(traceParent) };
}
