import { AppError, type StatusCallback } from '@switchboard/core';
import type { TraceableRow } from '@switchboard/database';
import type { Tracer } from '@switchboard/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginRequestSpan } from '../http/trace-requests.ts';
import type { FormFields } from './parse-form.ts';
import type { CallbackResult } from './record-status-callback.ts';
import { type VerifiedWebhook, forged } from './verify-webhook.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the request that made the message which a callback speaks of. */
    messageRequestId?: string | null;
  }
}

export interface StatusWebhookDependencies {
  verifyWebhook(request: FastifyRequest): Promise<VerifiedWebhook>;
  recordStatusCallback(
    workspaceId: string,
    messageId: string | null,
    callback: StatusCallback,
    onMessage: (row: TraceableRow) => void,
  ): Promise<CallbackResult>;
  tracer: Tracer | null;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** The provider tells what became of a message. */
export function registerStatusWebhook(
  webhooks: FastifyInstance,
  { verifyWebhook, recordStatusCallback, metrics, tracer }: StatusWebhookDependencies,
): void {
  webhooks.decorateRequest('messageRequestId', null);
  webhooks.post<{ Body: FormFields; Querystring: { message?: string | string[] } }>(
    '/api/webhooks/twilio/:workspaceId/status',
    { config: { isKeptAsEvent: true, joinsTrace: true } },
    async (request, reply) => {
      const { workspaceId, adapter, account, fields } = await verifyWebhook(request);
      const callback = adapter.parseStatusCallback(fields);
      if (callback === null) {
        throw new AppError(
          'missing_params',
          'Missing required parameters: `MessageSid`, `MessageStatus`, `AccountSid`',
        );
      }
      if (callback.accountSid !== account.accountSid) throw forged();

      const { message } = request.query;
      const result = await recordStatusCallback(
        workspaceId,
        typeof message === 'string' ? message : null,
        callback,
        ({ requestId, traceParent }) => {
          request.messageRequestId = requestId;
          if (tracer !== null && traceParent !== null && request.span === null) {
            beginRequestSpan(tracer, request, reply, traceParent);
          }
        },
      );
      metrics.callbacks.inc({ result });
      request.span?.setAttributes({
        'switchboard.callback_result': result,
        'switchboard.status': callback.status ?? 'other',
      });
      if (result === 'foreign') throw forged();
      const fieldsOfLog = { message_id: message, provider_sid: callback.sid, result };
      if (result === 'duplicate') {
        request.log.error(fieldsOfLog, 'the provider has taken a message twice');
      } else {
        request.log.debug(fieldsOfLog, 'status callback');
      }
      return { ok: true };
    },
  );
}
