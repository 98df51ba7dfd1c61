import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { readAtStatusUrl } from './read-event.ts';
import { type ReceiveMessageDependencies, createReceiveMessage } from './receive-message.ts';
import {
  type RecordStatusDependencies,
  createReadMessage,
  createRecordStatus,
} from './record-status.ts';
import { type SignedWebhook, type WebhookVerification, readSigned } from './verify-webhook.ts';

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
        const { account, content } = known;
        await limitWebhooks(account.workspaceId);
        if (await recordUsual({ request, reply }, account, content.callback)) return { ok: true };
      }

      const { workspaceId, readContent } = await verifyWebhook(signed, readAtStatusUrl);
      if (known?.content.kind !== 'status') await limitWebhooks(workspaceId);
      const event = readContent();
      if (event?.kind === 'inbound') await receiveMessage(request, workspaceId, event.message);
      if (event?.kind === 'status') {
        const { callback } = event;
        const addressed = await readMessage(workspaceId, callback.messageId);
        await recordStatus({ request, reply }, { workspaceId, addressed, callback });
      }
      return { ok: true };
    },
  );
}
