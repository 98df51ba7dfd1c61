import type { Clock, ProviderAdapter, ProviderWebhooks, ReceiveInbound } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';
import type { LimitWebhooks } from './limit-webhooks.ts';
import type { OutageRetry } from './retry-during-outage.ts';
import { type VerifyWebhook, readSigned } from './verify-webhook.ts';

export interface InboundWebhookDependencies {
  verifyWebhook: VerifyWebhook;
  publicUrl: string;
  limitWebhooks: LimitWebhooks;
  outageRetry: Pick<OutageRetry, 'retry'>;
  receiveInbound: ReceiveInbound;
  clock: Clock;
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
  const { verifyWebhook, limitWebhooks, outageRetry, receiveInbound } = dependencies;
  const { clock, publicUrl } = dependencies;
  const { paths, inboundReply } = routes;
  webhooks.post(paths.inbound, async (request, reply) => {
    const signed = readSigned(request, adapter, publicUrl);
    const { workspaceId, readContent } = await outageRetry.retry(() =>
      verifyWebhook(signed, (by, account, webhook) => by.readInbound(account, webhook)),
    );
    await limitWebhooks(workspaceId);
    const inbound = readContent();
    if (inbound === null) return reply.type(inboundReply.contentType).send(inboundReply.body);
    // Right after the start of this process, the clock of the database may not be known yet.
    const now = await outageRetry.retry(async () => clock.now());

    const id = await receiveInbound(inbound, {
      workspaceId,
      now,
      listedAt: null,
      requestId: request.id,
      traceParent: request.span?.traceParent ?? null,
      log: request.log,
    });
    if (id !== null) request.createdMessageId = id;
    return reply.type(inboundReply.contentType).send(inboundReply.body);
  });
}
