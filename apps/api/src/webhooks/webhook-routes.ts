import type { ProviderRegistry } from '@switchboard/providers';
import type { FastifyInstance } from 'fastify';
import {
  type InboundWebhookDependencies,
  registerInboundWebhook,
} from './inbound-webhook.route.ts';
import { parseRawBodies } from './parse-raw-bodies.ts';
import { type StatusWebhookDependencies, registerStatusWebhook } from './status-webhook.route.ts';

/**
 * Registers the routes that providers call. Only the provider's signature authenticates a request.
 */
export function registerWebhookRoutes(
  app: FastifyInstance,
  dependencies: StatusWebhookDependencies &
    InboundWebhookDependencies & { registry: Pick<ProviderRegistry, 'adapters'> },
): void {
  for (const adapter of dependencies.registry.adapters) {
    const { webhooks } = adapter;
    if (webhooks === null) continue;
    // One scope for each provider, so that its paths accept only its media types.
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      parseRawBodies(scope, webhooks.contentTypes);
      registerStatusWebhook(scope, { adapter, webhooks }, dependencies);
      registerInboundWebhook(scope, { adapter, webhooks }, dependencies);
    });
  }
}
