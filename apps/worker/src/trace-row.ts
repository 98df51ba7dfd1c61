import type { TraceableRow } from '@switchboard/database';
import { type Span, type Tracer, traceIdOf } from '@switchboard/runtime';

type Row = Pick<TraceableRow, 'id' | 'workspaceId' | 'attempt' | 'traceParent'>;

/**
 * A span in the trace that the message was accepted in. It hangs on the row and on nothing else, so
 * a hint that was lost, a crash or a restart does not break it. A row without a trace begins none.
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

/** A part of what `span` stands for. */
export function startPart(
  tracer: Tracer | null,
  name: string,
  span: Span | undefined,
  start: { kind?: 'client'; startedAt?: number } = {},
): Span | undefined {
  return span && tracer?.startSpan(name, { ...start, parent: span.traceParent });
}

/** What log lines about a row say of its trace. */
export function traceFields({ traceParent }: Pick<Row, 'traceParent'>): { trace_id?: string } {
  return traceParent === null ? {} : { trace_id: traceIdOf(traceParent) };
}
