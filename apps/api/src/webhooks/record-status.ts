import {
  type CallbackResult,
  type RecordStatusCallback,
  type StatusCallback,
  isUuid,
} from '@switchboard/core';
import type { MessageStore, TraceableRow } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import { forged } from './verify-webhook.ts';

export interface RecordStatusDependencies {
  readRow: MessageStore['readRow'];
  recordStatusCallback: RecordStatusCallback<TraceableRow>;
  tracer: Tracer | null;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** Reads the row of a message; null if the text is not the ID of one. */
export function createReadMessage({ readRow }: Pick<RecordStatusDependencies, 'readRow'>) {
  return (id: unknown): Promise<TraceableRow | null> =>
    typeof id === 'string' && isUuid(id) ? readRow(id) : Promise.resolve(null);
}

/**
 * Creates the function that records a status in the message that it names, and logs, traces and
 * counts it.
 */
export function createRecordStatus(dependencies: RecordStatusDependencies) {
  const { recordStatusCallback, tracer, metrics } = dependencies;

  return async function recordStatus(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    status: { workspaceId: string; addressed: TraceableRow | null; callback: StatusCallback },
  ): Promise<void> {
    const { workspaceId, callback } = status;
    let message: { message_id?: string; message_request_id?: string | null } = {};
    const result = await recordStatusCallback({
      ...status,
      log: request.log,
      onMessage({ id, requestId, traceParent }) {
        message = { message_id: id, message_request_id: requestId };
        if (tracer !== null && traceParent !== null && request.span === null) {
          beginRequestSpan(tracer, request, reply, traceParent);
        }
      },
    });
    metrics.callbacks.inc({ result });
    request.span?.setAttributes({
      'switchboard.callback_result': result,
      'switchboard.status': callback.status ?? 'other',
    });
    if (result === 'foreign') throw forged();
    const { sid, rawStatus, errorCode } = callback;
    request.log.info(
      {
        workspace_id: workspaceId,
        ...message,
        provider_sid: sid,
        status: callback.status ?? rawStatus,
        error_code: errorCode ?? undefined,
        result,
      },
      'status callback received',
    );
  };
}
