import type { FastifyInstance } from 'fastify';
import {
  type InboundWebhookDependencies,
  registerInboundWebhook,
} from './inbound-webhook.route.ts';
import { parseFormBodies } from './parse-form.ts';
import { type StatusWebhookDependencies, registerStatusWebhook } from './status-webhook.route.ts';

/** What providers call: form-encoded, and authenticated by their signature alone. */
export function registerWebhookRoutes(
  app: FastifyInstance,
  dependencies: StatusWebhookDependencies & InboundWebhookDependencies,
): void {
  void app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    parseFormBodies(webhooks);
    registerStatusWebhook(webhooks, dependencies);
    registerInboundWebhook(webhooks, dependencies);
  });
}
