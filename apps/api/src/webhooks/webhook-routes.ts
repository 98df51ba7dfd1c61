import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyInstance } from 'fastify';
import {
  type InboundWebhookDependencies,
  registerInboundWebhook,
} from './inbound-webhook.route.ts';
import { parseRawBodies } from './parse-raw-bodies.ts';
import { type StatusWebhookDependencies, registerStatusWebhook } from './status-webhook.route.ts';

/** Registers the routes that providers call, which only the provider's signature authenticates. */
export function registerWebhookRoutes(
  app: FastifyInstance,
  dependencies: StatusWebhookDependencies &
    InboundWebhookDependencies & { registry: Pick<ProviderRegistry, 'adapters'> },
): void {
  void app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    const { adapters } = dependencies.registry;
    parseRawBodies(
      webhooks,
      adapters.map((adapter) => adapter.webhooks.contentType),
    );
    for (const adapter of adapters) {
      registerStatusWebhook(webhooks, adapter, dependencies);
      registerInboundWebhook(webhooks, adapter, dependencies);
    }
  });
}
