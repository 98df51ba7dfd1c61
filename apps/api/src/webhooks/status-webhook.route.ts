import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { readAtStatusUrl } from './read-event.ts';
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

export interface StatusWebhookDependencies
  extends ReceiveMessageDependencies, RecordStatusDependencies, WebhookVerification {
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
}

/** Records what a provider reports about a message. */
export function registerStatusWebhook(
  app: FastifyInstance,
  provider: Pick<SignedWebhook, 'adapter' | 'webhooks'>,
  dependencies: StatusWebhookDependencies,
): void {
  const { verifyWebhook, verifyRemembered, limitWebhooks, publicUrl } = dependencies;
  const receiveMessage = createReceiveMessage(dependencies);
  const { recordUsual, recordStatus } = createRecordStatus(dependencies);
  const readMessage = createReadMessage(dependencies);
  app.post(
    provider.webhooks.paths.status,
    { config: { log: 'itself', joinsTrace: true } },
    async (request, reply) => {
      const signed = readSigned(request, provider, publicUrl);
      const known = verifyRemembered(signed, readAtStatusUrl);
      if (known?.content.kind === 'status') {
        const { callback } = known.content;
        await limitWebhooks(known.account.workspaceId);
        if (await recordUsual({ request, reply }, known.account, callback)) return { ok: true };
      }

      const { account, isClosed, readContent } = await verifyWebhook(signed, readAtStatusUrl);
      if (known?.content.kind !== 'status') await limitWebhooks(account.workspaceId);
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
      return { ok: true };
    },
  );
}
