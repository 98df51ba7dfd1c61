import { type WebhookEndpoint, OK, readOverlapMs, refuse, routes } from '@switchboard/contracts';
import { AppError, type Clock, type EventBus, createUuidV7, modeOf } from '@switchboard/core';
import { createWebhookSecret } from '@switchboard/credentials';
import type { StoredWebhookEndpoint, WebhookEndpointStore } from '@switchboard/database';
import type { WebhookTargets } from '@switchboard/providers';
import type { RegisterRoute } from '../http/register-route.ts';
import { respondWithPage } from '../wire/respond-with-page.ts';
import { assertMayName, createRequireEndpoint } from './require-endpoint.ts';

export interface WebhookEndpointRouteDependencies {
  webhookEndpoints: WebhookEndpointStore;
  sealWebhookSecret(secret: string, workspaceId: string): Promise<string>;
  webhookTargets: Pick<WebhookTargets, 'refuse'>;
  publishLater: EventBus['publishLater'];
  clock: Clock;
}

/** Registers the routes that read and change endpoints. */
export function registerWebhookEndpointRoutes(
  registerRoute: RegisterRoute,
  dependencies: WebhookEndpointRouteDependencies,
): void {
  const { webhookEndpoints, sealWebhookSecret, webhookTargets, publishLater, clock } = dependencies;

  function assertUrl(url: string): void {
    const refusal = webhookTargets.refuse(url);
    if (refusal !== null) throw new AppError('invalid_params', `\`url\` ${refusal}`);
  }

  const requireEndpoint = createRequireEndpoint(webhookEndpoints);
  const notify = (workspaceId: string) => publishLater({ kind: 'webhooks_changed', workspaceId });

  registerRoute(routes.listWebhookEndpoints, ({ workspaceId, query }) =>
    respondWithPage(
      query,
      (page) => webhookEndpoints.list(workspaceId, page),
      (endpoint) => toWebhookEndpoint(workspaceId, endpoint),
    ),
  );

  registerRoute(routes.addWebhookEndpoint, async ({ workspaceId, actor, request, body }) => {
    assertMayName({ request }, body.event_types ?? []);
    assertUrl(body.url);
    const createdAt = new Date(clock.now());
    const secret = createWebhookSecret();
    const created = await webhookEndpoints.create(
      workspaceId,
      {
        id: createUuidV7(createdAt.getTime()),
        url: body.url,
        description: body.description ?? '',
        eventTypes: body.event_types ?? [],
        enabled: body.enabled ?? true,
        sealedSecret: await sealWebhookSecret(secret, workspaceId),
        createdAt,
      },
      actor,
    );
    if (created === 'quota_exceeded') throw refuse(routes.addWebhookEndpoint, 'quota_exceeded');
    notify(workspaceId);
    return { ...toWebhookEndpoint(workspaceId, created), secret };
  });

  registerRoute(routes.getWebhookEndpoint, async ({ workspaceId, params }) => {
    const found = await webhookEndpoints.find(workspaceId, params.endpointId);
    if (found === null) throw refuse(routes.getWebhookEndpoint, 'not_found');
    return toWebhookEndpoint(workspaceId, found);
  });

  registerRoute(routes.changeWebhookEndpoint, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, actor, request, params, body }) {
      const { url, description, event_types: eventTypes, enabled } = body;
      if ([url, description, eventTypes, enabled].every((value) => value === undefined)) {
        throw refuse(routes.changeWebhookEndpoint, 'missing_params');
      }
      assertMayName({ request }, eventTypes ?? []);
      if (url !== undefined) assertUrl(url);
      const changes = {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(eventTypes !== undefined && { eventTypes: eventTypes ?? [] }),
        ...(enabled !== undefined && { enabled }),
      };
      const changed = await webhookEndpoints.update(workspaceId, params.endpointId, changes, actor);
      if (changed === null) throw refuse(routes.changeWebhookEndpoint, 'not_found');
      notify(workspaceId);
      return toWebhookEndpoint(workspaceId, changed);
    },
  });

  registerRoute(routes.removeWebhookEndpoint, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, actor, params }) {
      const removed = await webhookEndpoints.remove(workspaceId, params.endpointId, actor);
      if (!removed) throw refuse(routes.removeWebhookEndpoint, 'not_found');
      notify(workspaceId);
      return OK;
    },
  });

  registerRoute(routes.rotateWebhookSecret, {
    onRequest: requireEndpoint,
    async handle({ workspaceId, actor, params, body }) {
      const secret = createWebhookSecret();
      const sealed = await sealWebhookSecret(secret, workspaceId);
      const replaced = await webhookEndpoints.replaceSecret(
        workspaceId,
        params.endpointId,
        { sealed, overlapMs: readOverlapMs(body) },
        actor,
      );
      if (!replaced) throw refuse(routes.rotateWebhookSecret, 'not_found');
      notify(workspaceId);
      return { secret };
    },
  });
}

function toWebhookEndpoint(workspaceId: string, endpoint: StoredWebhookEndpoint): WebhookEndpoint {
  const { id, url, description, eventTypes, enabled, disabledReason, lastError } = endpoint;
  return {
    id,
    mode: modeOf(workspaceId),
    url,
    description,
    event_types: eventTypes.length === 0 ? null : eventTypes,
    enabled,
    disabled_reason: disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_error: lastError,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
