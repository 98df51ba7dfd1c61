import { AppError, type StatusCallback } from '@switchboard/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormFields } from './parse-form.ts';
import type { CallbackResult } from './record-status-callback.ts';
import { type VerifiedWebhook, forged } from './verify-webhook.ts';

export interface StatusWebhookDependencies {
  verifyWebhook(request: FastifyRequest): Promise<VerifiedWebhook>;
  recordStatusCallback(
    workspaceId: string,
    messageId: string | null,
    callback: StatusCallback,
  ): Promise<CallbackResult>;
  metrics: { callbacks: { inc(labels: { result: CallbackResult }): void } };
}

/** The provider tells what became of a message. */
export function registerStatusWebhook(
  webhooks: FastifyInstance,
  { verifyWebhook, recordStatusCallback, metrics }: StatusWebhookDependencies,
): void {
  webhooks.post<{ Body: FormFields; Querystring: { message?: string | string[] } }>(
    '/api/webhooks/twilio/:workspaceId/status',
    { config: { isKeptAsEvent: true } },
    async (request) => {
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
      );
      metrics.callbacks.inc({ result });
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
