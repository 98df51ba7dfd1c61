import { setTimeout as delay } from 'node:timers/promises';
import {
  type Route,
  type WebhookDelivery,
  refuse,
  routes,
  toMessage,
} from '@switchboard/contracts';
import { AppError, REPLAY_MAX_EVENTS, deliveryIdOf, sequenceOfDelivery } from '@switchboard/core';
import type { ProcessStore, StoredDelivery, WebhookDeliveryStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { createRequireEndpoint } from './require-endpoint.ts';
import type { WebhookEndpointRouteDependencies } from './webhook-endpoint-routes.ts';

export interface DeliveryRouteDependencies extends Pick<
  WebhookEndpointRouteDependencies,
  'webhookEndpoints' | 'publishLater' | 'clock'
> {
  webhookDeliveries: WebhookDeliveryStore;
  processes: Pick<ProcessStore, 'listRunning'>;
}

/** Longer than the timeout of a delivery. */
const TEST_TIMEOUT_MS = 20_000;
const TEST_POLL_MS = 50;

/** Registers the routes that read deliveries and send them again. */
export function registerDeliveryRoutes(
  registerRoute: RegisterRoute,
  dependencies: DeliveryRouteDependencies,
): void {
  const { webhookEndpoints, webhookDeliveries, processes, publishLater, clock } = dependencies;
  const requireEndpoint = createRequireEndpoint(webhookEndpoints);

  async function assertEnabled(route: Route, workspaceId: string, id: string): Promise<void> {
    const endpoint = await webhookEndpoints.find(workspaceId, id);
    if (endpoint === null) throw refuse(routes.getWebhookEndpoint, 'not_found');
    if (!endpoint.enabled) throw new AppError('invalid_state', route.errors?.invalid_state ?? '');
  }

  registerRoute(routes.testWebhookEndpoint, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, params: { endpointId } }) {
      await assertEnabled(routes.testWebhookEndpoint, workspaceId, endpointId);
      const key = { workspaceId, endpointId };
      const sequence = await webhookDeliveries.addTest(key);
      publishLater({ kind: 'webhooks_changed', workspaceId });
      const deadline = clock.monotonic() + TEST_TIMEOUT_MS;
      while (clock.monotonic() < deadline) {
        const [attempt] = (await webhookDeliveries.find(key, sequence))?.attempts ?? [];
        if (attempt !== undefined) return attempt;
        const running = await processes.listRunning();
        if (!running.some(({ role }) => role === 'worker')) break;
        await delay(TEST_POLL_MS);
      }
      throw refuse(routes.testWebhookEndpoint, 'service_unavailable', { retryAfterSeconds: 1 });
    },
  });

  registerRoute(routes.replayWebhookEvents, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, params: { endpointId }, body }) {
      const since = new Date(body.since.ms);
      const until = new Date(body.until?.ms ?? clock.now());
      if (since >= until) throw refuse(routes.replayWebhookEvents, 'invalid_params');
      await assertEnabled(routes.replayWebhookEvents, workspaceId, endpointId);
      const events = await webhookDeliveries.replay({ workspaceId, endpointId }, { since, until });
      if (events === 'too_many') {
        throw new AppError(
          'invalid_params',
          `\`until\` must be earlier: the period has more than ${REPLAY_MAX_EVENTS} events`,
        );
      }
      publishLater({ kind: 'webhooks_changed', workspaceId });
      return { events };
    },
  });

  registerRoute(routes.listWebhookDeliveries, {
    onRequest: requireEndpoint,
    handle: ({ workspaceId, params: { endpointId }, query }) =>
      respondWithPage(
        query,
        (page) => webhookDeliveries.list({ workspaceId, endpointId }, query.status ?? null, page),
        (delivery) => toDelivery({ workspaceId, endpointId }, delivery),
      ),
  });

  registerRoute(routes.retryWebhookDelivery, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, params }) {
      const { endpointId, deliveryId } = params;
      const key = { workspaceId, endpointId };
      const sequence = sequenceOfDelivery(endpointId, deliveryId);
      const found = sequence === null ? null : await webhookDeliveries.find(key, sequence);
      if (found === null) throw refuse(routes.retryWebhookDelivery, 'not_found');
      await assertEnabled(routes.retryWebhookDelivery, workspaceId, endpointId);
      await webhookDeliveries.retry(key, found.sequence);
      publishLater({ kind: 'webhooks_changed', workspaceId });
      return toDelivery(key, {
        ...found,
        status: 'pending',
        nextAttemptAt: new Date(clock.now()),
      });
    },
  });
}

function toDelivery(
  { workspaceId, endpointId }: { workspaceId: string; endpointId: string },
  delivery: StoredDelivery,
): WebhookDelivery {
  const { sequence, eventType, eventAt, data } = delivery;
  return {
    id: deliveryIdOf(endpointId, sequence),
    event_id: delivery.eventId,
    event_type: eventType,
    message_id: delivery.messageId,
    sequence,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    event:
      data === null
        ? null
        : {
            type: eventType,
            timestamp: eventAt.toISOString(),
            workspace_id: workspaceId,
            sequence,
            data: 'message' in data ? toMessage(data.message) : data.record,
          },
  };
}
