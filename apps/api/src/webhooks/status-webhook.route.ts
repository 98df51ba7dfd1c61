import { AppError, isUuid } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyInstance } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import type { LimitWebhooks } from './limit-webhooks.ts';
import type { FormFields } from './parse-form.ts';
import type { CallbackResult, RecordStatusCallback } from './record-status-callback.ts';
import { type SignedRequest, type VerifiedWebhook, forged, readSigned } from './verify-webhook.ts';

export interface StatusWebhookDependencies {
  verifyWebhook(request: SignedRequest): Promise<VerifiedWebhook>;
  limitWebhooks: LimitWebhooks;
  readRow: MessageStore['readRow'];
  recordStatusCallback: RecordStatusCallback;
  tracer: Tracer | null;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** Records what a provider reports of a message. */
export function registerStatusWebhook(
  webhooks: FastifyInstance,
  dependencies: StatusWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, readRow, recordStatusCallback } = dependencies;
  const { metrics, tracer } = dependencies;
  webhooks.post<{ Body: FormFields; Querystring: { message?: string | string[] } }>(
    '/api/webhooks/twilio/:workspaceId/status',
    { config: { log: 'itself', joinsTrace: true } },
    async (request, reply) => {
      const { message: addressedId } = request.query;
      const verifying = verifyWebhook(readSigned(request));
      // Side by side, as each waits for the database. Whoever is refused waits for both.
      const reading =
        typeof addressedId === 'string' && isUuid(addressedId)
          ? readRow(addressedId)
          : Promise.resolve(null);
      await Promise.allSettled([verifying, reading]);
      const { workspaceId, adapter, account, fields } = await verifying;
      await limitWebhooks(workspaceId);
      const addressed = await reading;
      const callback = adapter.parseStatusCallback(fields);
      if (callback === null) {
        throw new AppError(
          'missing_params',
          'Missing required parameters: `MessageSid`, `MessageStatus`, `AccountSid`',
        );
      }
      if (callback.accountSid !== account.accountSid) throw forged();

      /** Empty until the callback's message is known; its request is the one that created it. */
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
