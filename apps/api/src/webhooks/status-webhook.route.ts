import {
  type CallbackResult,
  type ProviderAdapter,
  type ProviderWebhooks,
  type RecordStatusCallback,
  isUuid,
} from '@switchboard/core';
import type { MessageStore, TraceableRow } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyInstance } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { type VerifyWebhook, forged, readSigned } from './verify-webhook.ts';

export interface StatusWebhookDependencies {
  verifyWebhook: VerifyWebhook;
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
  readRow: MessageStore['readRow'];
  recordStatusCallback: RecordStatusCallback<TraceableRow>;
  tracer: Tracer | null;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** Records what a provider reports of a message. */
export function registerStatusWebhook(
  webhooks: FastifyInstance,
  adapter: ProviderAdapter,
  routes: Pick<ProviderWebhooks, 'paths'>,
  dependencies: StatusWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, readRow, recordStatusCallback } = dependencies;
  const { publicUrl, metrics, tracer } = dependencies;
  const readMessage = (id: unknown) =>
    typeof id === 'string' && isUuid(id) ? readRow(id) : Promise.resolve(null);
  webhooks.post<{ Querystring: { message?: string | string[] } }>(
    routes.paths.status,
    { config: { log: 'itself', joinsTrace: true } },
    async (request, reply) => {
      const { message: addressedId } = request.query;
      const verifying = verifyWebhook(
        readSigned(request, adapter, publicUrl),
        (by, account, webhook) => by.readStatusCallback(account, webhook),
      );
      // Both wait for the database, so they run side by side. A refused request waits for both.
      const reading = readMessage(addressedId);
      await Promise.allSettled([verifying, reading]);
      const { workspaceId, readContent } = await verifying;
      await limitWebhooks(workspaceId);
      const callback = readContent();
      if (callback === null) return { ok: true };
      const { messageId } = callback;
      const addressed = messageId === addressedId ? await reading : await readMessage(messageId);

      let message: { message_id?: string; message_request_id?: string | null } = {};
      const result = await recordStatusCallback({
        workspaceId,
        addressed,
        callback,
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
      return { ok: true };
    },
  );
}
