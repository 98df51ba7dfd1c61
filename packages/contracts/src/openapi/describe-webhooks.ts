import { z } from 'zod';
import { type WebhookEvent, webhookEvent } from '../webhook-event.ts';
import type { Operation, Parameter } from './document.ts';
import { exampleOf } from './example-of.ts';
import type { SchemaCollector } from './schema-collector.ts';

const SUMMARIES: Record<WebhookEvent['type'], string> = {
  'message.created': 'A message was accepted or scheduled',
  'message.updated': 'A message changed, for example its status',
  'message.received': 'A message was received',
  'opt_out.created': 'A number opted out',
  'opt_out.removed': 'A number opted in again',
  'provider.status_changed': 'The status of a provider account changed',
  'endpoint.disabled': 'Another endpoint of the workspace was disabled',
  'endpoint.test': 'A test of the endpoint was requested',
  'audit_entry.created':
    'The audit trail has a new entry; only for endpoints that name this type in `event_types`',
};

/** The headers of a delivery, as Standard Webhooks 1.0 defines them. */
const headers = z.object({
  'webhook-id': z.uuid().describe('Identifies the event; the same in every attempt and replay'),
  'webhook-timestamp': z
    .string()
    .describe('When this attempt was made, in seconds since 1970')
    .meta({ pattern: '^[0-9]+$', examples: ['1795406400'] }),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the base64 of the HMAC-SHA256 over `webhook-id.webhook-timestamp.body`; two of them, with a space between, during a rotation of the secret',
    )
    .meta({ examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] }),
});

/** Describes the requests that endpoints of a workspace receive, from the one definition of their events. */
export function describeWebhooks({
  describe,
}: SchemaCollector): Record<string, { post: Operation }> {
  const parameters = Object.entries(headers.shape).map(([name, field]): Parameter => {
    const { description = name, ...schema } = describe(field, 'output');
    return { name, in: 'header', required: true, description, schema };
  });
  return Object.fromEntries(
    webhookEvent.options.map((event) => {
      const type = event.shape.type.value;
      const post: Operation = {
        operationId: `webhook_${type.replace('.', '_')}`,
        tags: ['Workspace webhooks'],
        summary: SUMMARIES[type],
        description: `${SUMMARIES[type]}. The body is the same, byte for byte, in every attempt and replay.`,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: describe(event, 'output'),
              example: describeExample(event.parse(exampleOf(event, 'output'))),
            },
          },
        },
        responses: {
          200: { description: 'Delivered; so is any other 2xx within 15 s', headers: {} },
          410: { description: 'The endpoint is disabled', headers: {} },
          default: { description: 'The delivery is retried', headers: {} },
        },
      };
      return [type, { post }];
    }),
  );
}

/** The example of a message is a sent one. */
function describeExample(event: WebhookEvent): WebhookEvent {
  if (event.type !== 'message.received') return event;
  const sent = { sent_by: null, scheduled_at: null, sent_at: null, delivered_at: null };
  return { ...event, data: { ...event.data, direction: 'inbound', status: 'received', ...sent } };
}
