import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { readAtInboundUrl } from './read-event.ts';
import { type ReceiveMessageDependencies, createReceiveMessage } from './receive-message.ts';
import {
  type RecordStatusDependencies,
  createReadMessage,
  createRecordStatus,
} from './record-status.ts';
import {
  type SignedWebhook,
  type WebhookVerification,
  forged,
  readSigned,
} from './verify-webhook.ts';

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
  app: FastifyInstance,
  provider: Pick<SignedWebhook, 'adapter' | 'webhooks'>,
  dependencies: InboundWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, outageRetry, publicUrl } = dependencies;
  const { paths, inboundReply } = provider.webhooks;
  const receiveMessage = createReceiveMessage(dependencies);
  const { recordStatus } = createRecordStatus(dependencies);
  const readMessage = createReadMessage(dependencies);
  app.post(paths.inbound, async (request, reply) => {
    const signed = readSigned(request, provider, publicUrl);
    const { account, isClosed, readContent } = await outageRetry.retry(() =>
      verifyWebhook(signed, readAtInboundUrl),
    );
    await limitWebhooks(account.workspaceId);
    const event = readContent();
    if (event?.kind === 'inbound') {
      if (isClosed) throw forged();
      await receiveMessage(request, account, event.message);
    }
    if (event?.kind === 'status') {
      const { callback } = event;
      const addressed = await readMessage(account.workspaceId, callback.messageId);
      await recordStatus({ request, reply }, { ...account, addressed, callback });
    }
    return reply.type(inboundReply.contentType).send(inboundReply.body);
  });
}
