import {
  type AccountAddress,
  type AdvanceByCallback,
  type CallbackResult,
  type ProvedAccount,
  type RecordStatusCallback,
  type StatusCallback,
  isUuid,
} from '@switchboard/core';
import type { AdvancedMessage, MessageStore, TraceableRow } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import { forged } from './verify-webhook.ts';

export interface RecordStatusDependencies {
  readRow: MessageStore['readRow'];
  recordStatusCallback: RecordStatusCallback<TraceableRow>;
  advanceByCallback: AdvanceByCallback<AdvancedMessage>;
  tracer: Tracer | null;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** Reads the row of a message; null if the text is not the id of a message of the workspace. */
export function createReadMessage({ readRow }: Pick<RecordStatusDependencies, 'readRow'>) {
  return (workspaceId: string, id: string | null): Promise<TraceableRow | null> =>
    id !== null && isUuid(id) ? readRow({ workspaceId, id }) : Promise.resolve(null);
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

type TracedMessage = Pick<TraceableRow, 'id' | 'requestId' | 'traceParent'>;

/** Creates the functions that record a status in the message that it names. */
export function createRecordStatus(dependencies: RecordStatusDependencies) {
  const { recordStatusCallback, advanceByCallback, tracer } = dependencies;

  /** Joins the trace of the message. */
  function joinTrace({ request, reply }: Exchange, { traceParent }: TracedMessage): void {
    if (tracer !== null && traceParent !== null && request.span === null) {
      beginRequestSpan(tracer, request, reply, traceParent);
    }
  }

  /** Counts, traces and logs the result. */
  function report(
    { request }: Exchange,
    status: { workspaceId: string; callback: StatusCallback },
    result: CallbackResult,
    message: TracedMessage | null,
  ): void {
    const { workspaceId, callback } = status;
    dependencies.metrics.callbacks.inc({ result });
    request.span?.setAttributes({
      'switchboard.callback_result': result,
      'switchboard.status': callback.status ?? 'other',
    });
    if (result === 'foreign') throw forged();
    const { sid, rawStatus, errorCode } = callback;
    request.log.info(
      {
        workspace_id: workspaceId,
        ...(message !== null && { message_id: message.id, message_request_id: message.requestId }),
        provider_sid: sid,
        status: callback.status ?? rawStatus,
        error_code: errorCode ?? undefined,
        result,
      },
      'status callback received',
    );
  }

  return {
    /**
     * Records a status in one statement, if it has the usual effect; false if nothing was written.
     */
    async recordUsual(
      exchange: Exchange,
      account: ProvedAccount,
      callback: StatusCallback,
    ): Promise<boolean> {
      const message = await advanceByCallback(account, callback);
      if (message === null) return false;
      joinTrace(exchange, message);
      report(exchange, { workspaceId: account.workspaceId, callback }, 'recorded', message);
      return true;
    },

    async recordStatus(
      exchange: Exchange,
      status: AccountAddress & { addressed: TraceableRow | null; callback: StatusCallback },
    ): Promise<void> {
      let message: TracedMessage | null = null;
      const result = await recordStatusCallback({
        ...status,
        log: exchange.request.log,
        onMessage(row) {
          message = row;
          joinTrace(exchange, row);
        },
      });
      report(exchange, status, result, message);
    },
  };
}
