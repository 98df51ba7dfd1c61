import { QUOTAS, REPLAY_MAX_EVENTS, quotaExceeded } from '@switchboard/core';
import { describeMissingParams, parseBody } from '../parse-request.ts';
import { pagingQuery } from '../query.ts';
import {
  addWebhookEndpointRequest,
  changeWebhookEndpointRequest,
  createdWebhookEndpoint,
  deliveriesQuery,
  replayResponse,
  replayRequest,
  rotateSecretRequest,
  webhookAttempt,
  webhookDelivery,
  webhookDeliveryList,
  webhookEndpoint,
  webhookEndpointList,
  webhookSecret,
} from '../webhook-endpoint.ts';
import { defineRoute } from './define-route.ts';
import { DETAILS } from './details.ts';
import { ok } from './ok.ts';
import { forKeysAndSessions } from './workspace-paths.ts';

const tag = 'Workspace webhooks';
const noSuchEndpoint = 'The workspace has no such webhook endpoint';
const disabled = 'The webhook endpoint is disabled: enable it first';

/** For everybody who may not read the audit trail. Such a client sees the endpoint, and no more. */
const auditEvents = `${DETAILS.forbidden}: only an owner with a session may name \`audit_entry.created\`, and change or use an endpoint that names it`;

export const webhookEndpointRoutes = {
  listWebhookEndpoints: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/webhook-endpoints'),
    scope: 'webhooks:write',
    tag,
    summary: 'List the webhook endpoints',
    permission: 'manage',
    query: pagingQuery,
    response: { status: 200, schema: webhookEndpointList },
  }),

  addWebhookEndpoint: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/webhook-endpoints'),
    scope: 'webhooks:write',
    tag,
    summary: 'Add a webhook endpoint',
    description:
      'The endpoint receives the events from now on. Deliveries follow [Standard Webhooks](https://www.standardwebhooks.com): ' +
      'each event is delivered at least once, with the same `webhook-id` and `sequence` in every attempt.',
    permission: 'manage',
    body: addWebhookEndpointRequest,
    response: { status: 201, schema: createdWebhookEndpoint },
    errors: {
      forbidden: auditEvents,
      invalid_params: '`url` must have a host on the public internet',
      quota_exceeded: quotaExceeded(
        QUOTAS.webhookEndpointsPerWorkspace,
        'webhook endpoints per workspace',
      ).message,
    },
  }),

  getWebhookEndpoint: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}'),
    scope: 'webhooks:write',
    tag,
    summary: 'Get a webhook endpoint',
    permission: 'manage',
    response: { status: 200, schema: webhookEndpoint },
    errors: { not_found: noSuchEndpoint },
  }),

  changeWebhookEndpoint: defineRoute({
    method: 'PATCH',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}'),
    scope: 'webhooks:write',
    tag,
    summary: 'Change, enable or disable a webhook endpoint',
    description:
      'From one second after the response, nothing more is sent to a disabled endpoint. When it is enabled again, it receives the events that it missed.',
    permission: 'manage',
    body: changeWebhookEndpointRequest,
    response: { status: 200, schema: webhookEndpoint },
    errors: {
      forbidden: auditEvents,
      missing_params: describeMissingParams(['url', 'description', 'event_types', 'enabled']),
      invalid_params: '`url` must have a host on the public internet',
      not_found: noSuchEndpoint,
    },
  }),

  removeWebhookEndpoint: defineRoute({
    method: 'DELETE',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}'),
    scope: 'webhooks:write',
    tag,
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries are deleted too, including those that are pending.',
    permission: 'manage',
    response: { status: 200, schema: ok },
    errors: { forbidden: auditEvents, not_found: noSuchEndpoint },
  }),

  rotateWebhookSecret: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}/rotate-secret'),
    scope: 'webhooks:write',
    tag,
    summary: 'Replace the secret of a webhook endpoint',
    description: 'Until the overlap ends, deliveries carry the signatures of both secrets.',
    permission: 'manage',
    body: rotateSecretRequest,
    parseBody: (body: unknown) => parseBody(rotateSecretRequest, body ?? {}),
    response: { status: 200, schema: webhookSecret },
    errors: { forbidden: auditEvents, not_found: noSuchEndpoint },
  }),

  testWebhookEndpoint: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}/test'),
    scope: 'webhooks:write',
    tag,
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends an event of the type `endpoint.test`, whatever types the endpoint selects, and responds with the first attempt. ' +
      'Like all events, it has a sequence and is retried until it is delivered.',
    permission: 'manage',
    response: { status: 200, schema: webhookAttempt },
    errors: {
      forbidden: auditEvents,
      not_found: noSuchEndpoint,
      invalid_state: disabled,
      service_unavailable: 'No worker has sent the test event yet',
    },
  }),

  replayWebhookEvents: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}/replay'),
    scope: 'webhooks:write',
    tag,
    summary: 'Send the events of a period again',
    description:
      'Each event keeps its `webhook-id` and its `sequence`. The events of the last seven days can be sent again, ' +
      `${REPLAY_MAX_EVENTS} in one request.`,
    permission: 'manage',
    body: replayRequest,
    response: { status: 200, schema: replayResponse },
    errors: {
      forbidden: auditEvents,
      invalid_params: '`since` must be before `until`',
      not_found: noSuchEndpoint,
      invalid_state: disabled,
    },
  }),

  listWebhookDeliveries: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}/deliveries'),
    scope: 'webhooks:write',
    tag,
    summary: 'List the deliveries to a webhook endpoint',
    description: 'Newest first: those of the last seven days, and all that are pending.',
    permission: 'manage',
    shorterRead: 'filter by `status`',
    query: deliveriesQuery,
    response: { status: 200, schema: webhookDeliveryList },
    errors: { forbidden: auditEvents, not_found: noSuchEndpoint },
  }),

  retryWebhookDelivery: defineRoute({
    method: 'POST',
    paths: forKeysAndSessions('/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/retry'),
    scope: 'webhooks:write',
    tag,
    summary: 'Send a delivery again now',
    permission: 'manage',
    response: { status: 200, schema: webhookDelivery },
    errors: {
      forbidden: auditEvents,
      not_found: 'The webhook endpoint has no such delivery',
      invalid_state: disabled,
    },
  }),
};
