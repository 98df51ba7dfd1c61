import type { ProviderAdapter, ProviderWebhooks } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import { readAtStatusUrl } from './read-event.ts';
import { type ReceiveMessageDependencies, createReceiveMessage } from './receive-message.ts';
import {
  type RecordStatusDependencies,
  createReadMessage,
  createRecordStatus,
} from './record-status.ts';
import { type VerifyWebhook, readSigned } from './verify-webhook.ts';

export interface StatusWebhookDependencies
  extends ReceiveMessageDependencies, RecordStatusDependencies {
  verifyWebhook: VerifyWebhook;
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
}

/** Records what a provider reports about a message. */
export function registerStatusWebhook(
  webhooks: FastifyInstance,
  adapter: ProviderAdapter,
  routes: Pick<ProviderWebhooks, 'paths'>,
  dependencies: StatusWebhookDependencies,
): void {
  const { verifyWebhook, limitWebhooks, publicUrl } = dependencies;
  const receiveMessage = createReceiveMessage(dependencies);
  const recordStatus = createRecordStatus(dependencies);
  const readMessage = createReadMessage(dependencies);
  webhooks.post<{ Querystring: { message?: string | string[] } }>(
    routes.paths.status,
    { config: { log: 'itself', joinsTrace: true } },
    async (request, reply) => {
      const { message: addressedId } = request.query;
      const verifying = verifyWebhook(readSigned(request, adapter, publicUrl), readAtStatusUrl);
      // Both wait for the database, so they run side by side. A refused request waits for both.
      const reading = readMessage(addressedId);
      await Promise.allSettled([verifying, reading]);
      const { workspaceId, readContent } = await verifying;
      await limitWebhooks(workspaceId);
      const event = readContent();
      if (event?.kind === 'inbound') await receiveMessage(request, workspaceId, event.message);
      if (event?.kind === 'status') {
        const { callback } = event;
        const addressed =
          callback.messageId === addressedId
            ? await reading
            : await readMessage(callback.messageId);
        await recordStatus({ request, reply }, { workspaceId, addressed, callback });
      }
      return { ok: true };
    },
  );
}
