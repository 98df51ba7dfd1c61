import type { DisabledReason, WebhookEventType } from '@switchboard/core';

export interface EndpointKey {
  workspaceId: string;
  endpointId: string;
}

/** A webhook endpoint as its workspace sees it. */
export interface StoredWebhookEndpoint {
  id: string;
  url: string;
  description: string;
  /** Empty for all types. */
  eventTypes: WebhookEventType[];
  enabled: boolean;
  disabledReason: DisabledReason | null;
  createdAt: Date;
  updatedAt: Date;
  /** When the current series of failures began, and the latest error; null after a success. */
  failingSince: Date | null;
  lastError: string | null;
  lastSuccessAt: Date | null;
}

/** The select list of a `StoredWebhookEndpoint`, from `webhook_endpoints w`. */
export const ENDPOINT_COLUMNS = `
  w.id, w.url, w.description, w.event_types AS "eventTypes", w.enabled,
  w.disabled_reason AS "disabledReason", w.created_at AS "createdAt", w.updated_at AS "updatedAt",
  w.failing_since AS "failingSince", w.last_error AS "lastError",
  w.last_success_at AS "lastSuccessAt"`;

/** An endpoint, with the fields that a worker needs to deliver to it. */
export interface WebhookTarget {
  id: string;
  workspaceId: string;
  /** The user who has owned the workspace the longest. */
  ownerId: string;
  url: string;
  sealedSecret: string;
  /** The secret before the last rotation, which also signs until `previousUntil`. */
  previousSecret: string | null;
  previousUntil: Date | null;
  /** Failed attempts since the last success. */
  failures: number;
}

/** The longest owner of the workspace of `webhook_endpoints w`; the workspace itself if it has none. */
export const OWNER = `COALESCE((
  SELECT m.user_id FROM members m WHERE m.workspace_id = live_workspace_of(w.workspace_id) AND m.role = 'owner'
  ORDER BY m.created_at, m.user_id LIMIT 1), w.workspace_id)`;

/** The select list of a `WebhookTarget`, from `webhook_endpoints w`. */
export const TARGET_COLUMNS = `
  w.id, w.workspace_id AS "workspaceId", ${OWNER} AS "ownerId", w.url, w.sealed_secret AS "sealedSecret",
  w.previous_secret AS "previousSecret", w.previous_until AS "previousUntil", w.failures`;
