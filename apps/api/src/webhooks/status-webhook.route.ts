import { AppError, isUuid } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyInstance } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import type { LimitWebhooks } from './limit-webhooks.ts';
import type { FormFields } from './parse-form.ts';
import type { CallbackResult, RecordStatusCallback } from './record-status-callback.ts';
import { type SignedRequest, type VerifiedWebhook, forged, readSigned } from './verify-webhook.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the request that made the message which a callback speaks of. */
    messageRequestId?: string | null;
  }
}

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
  webhooks.decorateRequest('messageRequestId', null);
  webhooks.post<{ Body: FormFields; Querystring: { message?: string | string[] } }>(
    '/api/webhooks/twilio/:workspaceId/status',
    { config: { isKeptAsEvent: true, joinsTrace: true } },
    async (request, reply) => {
      const { message } = request.query;
      const verifying = verifyWebhook(readSigned(request));
      // Side by side, as each waits for the database. Whoever is refused waits for both.
      const reading =
        typeof message === 'string' && isUuid(message) ? readRow(message) : Promise.resolve(null);
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

      const result = await recordStatusCallback({
        workspaceId,
        addressed,
        callback,
        log: request.log,
        onMessage({ requestId, traceParent }) {
          request.messageRequestId = requestId;
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
      request.log.debug(
        { message_id: message, provider_sid: callback.sid, result },
        'status callback',
      );
      return { ok: true };
    },
  );
}
