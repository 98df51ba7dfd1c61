import { AppError, type BusNotice, type Clock, createUuidV7 } from '@switchboard/core';
import type { MessageStore } from '@switchboard/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FormFields } from './parse-form.ts';
import { type VerifiedWebhook, forged } from './verify-webhook.ts';

export interface InboundWebhookDependencies {
  verifyWebhook(request: FastifyRequest): Promise<VerifiedWebhook>;
  messages: Pick<MessageStore, 'storeInbound'>;
  publishLater(notice: BusNotice): void;
  clock: Clock;
}

const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

/** The provider hands over a received message. A 500 makes it try again. */
export function registerInboundWebhook(
  webhooks: FastifyInstance,
  { verifyWebhook, messages, publishLater, clock }: InboundWebhookDependencies,
): void {
  webhooks.post<{ Body: FormFields }>(
    '/api/webhooks/twilio/:workspaceId/inbound',
    async (request, reply) => {
      const { workspaceId, adapter, account, fields } = await verifyWebhook(request);
      const inbound = adapter.parseInbound(fields);
      if (inbound === null) {
        throw new AppError('missing_params', 'Missing required parameters: `MessageSid`, `From`, `To`, `AccountSid`');
      }
      if (inbound.accountSid !== account.accountSid) throw forged();

      const createdAt = clock.now();
      const id = createUuidV7(createdAt);
      const stored = await messages.storeInbound({
        id,
        createdAt: new Date(createdAt),
        workspaceId,
        to: inbound.to,
        from: inbound.from,
        body: inbound.body,
        media: inbound.media,
        segments: inbound.segments,
        providerAccount: inbound.accountSid,
        providerSid: inbound.sid,
        requestId: request.id,
      });
      if (stored !== null) {
        publishLater({ kind: 'message', workspaceId, messageId: id, seq: stored.seq });
      }
      return reply.type('text/xml; charset=utf-8').send(EMPTY_TWIML);
    },
  );
}
