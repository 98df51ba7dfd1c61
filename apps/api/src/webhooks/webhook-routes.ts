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
    const called = dependencies.registry.adapters.flatMap((adapter) =>
      adapter.webhooks === null ? [] : [{ adapter, routes: adapter.webhooks }],
    );
    const contentTypes = new Set(called.map(({ routes }) => routes.contentType));
    parseRawBodies(webhooks, [...contentTypes]);
    for (const { adapter, routes } of called) {
      registerStatusWebhook(webhooks, adapter, routes, dependencies);
      registerInboundWebhook(webhooks, adapter, routes, dependencies);
    }
  });
}
