import {
  type AttemptOutcome,
  type Clock,
  WEBHOOK_SECRET_FIELD,
  type WebhookEventType,
  isDelivered,
} from '@switchboard/core';
import { readWebhookKey } from '@switchboard/credentials';
import type { WebhookAttempt, WebhookTarget } from '@switchboard/database';
import type { CheckedPost } from '@switchboard/providers';
import type { Logger, SecretBox } from '@switchboard/runtime';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { signDelivery } from './sign-delivery.ts';

/** An event with its number for an endpoint. */
export interface OutgoingEvent {
  id: string;
  type: WebhookEventType;
  at: Date;
  sequence: number;
  data: unknown;
  /** Null if the event is not about a message. */
  messageId: string | null;
}

export interface SentEvent {
  outcome: AttemptOutcome;
  attempt: WebhookAttempt;
}

export interface SendEventDependencies {
  poster: Pick<CheckedPost, 'post'>;
  secretBox: Pick<SecretBox, 'open'>;
  /** The database's clock: receivers refuse a timestamp that is off by minutes. */
  clock: Pick<Clock, 'now'>;
  metrics: Pick<WorkerMetrics, 'webhookAttempts'>;
  logger: Logger;
}

export type SendEvent = (target: WebhookTarget, event: OutgoingEvent) => Promise<SentEvent>;

/** Creates the function that makes one attempt to deliver an event. It never rejects. */
export function createSendEvent(dependencies: SendEventDependencies): SendEvent {
  const { poster, secretBox, clock, metrics, logger } = dependencies;

  function listKeys({ workspaceId, sealedSecret, previousSecret, previousUntil }: WebhookTarget) {
    const isRotating = previousUntil !== null && previousUntil.getTime() > clock.now();
    return [sealedSecret, isRotating ? previousSecret : null]
      .filter((sealed) => sealed !== null)
      .map((sealed) => secretBox.open(sealed, { workspaceId, field: WEBHOOK_SECRET_FIELD }))
      .map(readWebhookKey);
  }

  async function post(target: WebhookTarget, event: OutgoingEvent, at: number) {
    const body = JSON.stringify({
      type: event.type,
      timestamp: event.at.toISOString(),
      workspace_id: target.workspaceId,
      sequence: event.sequence,
      data: event.data,
    });
    let keys: Buffer[];
    try {
      keys = listKeys(target);
    } catch {
      return { kind: 'refused', detail: 'SECRET_KEY does not decrypt the secret' } as const;
    }
    return poster.post(target.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Switchboard-Webhooks/1.0',
        ...signDelivery({ id: event.id, at, body }, keys),
      },
      body,
    });
  }

  async function attempt(target: WebhookTarget, event: OutgoingEvent): Promise<SentEvent> {
    const at = clock.now();
    const startedAt = performance.now();
    const posted = await post(target, event, at);
    const common = {
      at: new Date(at).toISOString(),
      duration_ms: Math.round(performance.now() - startedAt),
    };
    if (posted.kind !== 'answered') {
      return {
        outcome: { statusCode: null, retryAfterMs: null },
        attempt: { ...common, status_code: null, error: posted.detail, response: null },
      };
    }
    const { statusCode, excerpt } = posted;
    const error = isDelivered(posted) ? null : describeResponse(statusCode);
    return {
      outcome: posted,
      attempt: { ...common, status_code: statusCode, error, response: excerpt },
    };
  }

  return async function sendEvent(target, event) {
    const sent = await attempt(target, event);
    const { status_code, duration_ms, error } = sent.attempt;
    metrics.webhookAttempts.inc({ result: error === null ? 'delivered' : 'failed' });
    const line = {
      workspace_id: target.workspaceId,
      message_id: event.messageId,
      endpoint_id: target.id,
      event_id: event.id,
      sequence: event.sequence,
      status_code,
      duration_ms,
    };
    if (error === null) logger.debug(line, 'webhook delivered');
    else logger.info({ ...line, error }, 'webhook delivery failed');
    return sent;
  };
}

function describeResponse(statusCode: number): string {
  return statusCode >= 300 && statusCode < 400
    ? `The endpoint responded with ${statusCode}: redirects are not followed`
    : `The endpoint responded with ${statusCode}`;
}
