import type { ProviderAdapter, ProviderWebhooks } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { readAtInboundUrl } from './read-event.ts';
import { type ReceiveMessageDependencies, createReceiveMessage } from './receive-message.ts';
import {
  type RecordStatusDependencies,
  createReadMessage,
  createRecordStatus,
} from './record-status.ts';
import { type WebhookVerification, readSigned } from './verify-webhook.ts';

export interface InboundWebhookDependencies
  extends ReceiveMessageDependencies, RecordStatusDependencies {
  verifyWebhook: WebhookVerification['verifyWebhook'];
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
}

/**
 * Stores a message that the provider has received. While the database is unavailable, the route
 * retries its write, and the provider retries after a 503. The worker finds lost messages in the
 * provider's list.
 */
export function registerInboundWebhook(
  webhooks: FastifyInstance,
  adapter: ProviderAdapter,
  routes: Pick<ProviderWebhooks, 'paths' | 'inboundReply'>,
  dependencies: InboundWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, outageRetry, publicUrl } = dependencies;
  const { paths, inboundReply } = routes;
  const receiveMessage = createReceiveMessage(dependencies);
  const { recordStatus } = createRecordStatus(dependencies);
  const readMessage = createReadMessage(dependencies);
  webhooks.post(paths.inbound, async (request, reply) => {
    const signed = readSigned(request, adapter, publicUrl);
    const { workspaceId, readContent } = await outageRetry.retry(() =>
      verifyWebhook(signed, readAtInboundUrl),
    );
    await limitWebhooks(workspaceId);
    const event = readContent();
    if (event?.kind === 'inbound') await receiveMessage(request, workspaceId, event.message);
    if (event?.kind === 'status') {
      const { callback } = event;
      const addressed = await readMessage(callback.messageId);
      await recordStatus({ request, reply }, { workspaceId, addressed, callback });
    }
    return reply.type(inboundReply.contentType).send(inboundReply.body);
  });
}
