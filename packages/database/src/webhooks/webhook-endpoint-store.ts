import { QUOTAS, type WebhookEventType } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { currentPosition } from '../messages/events/position-sql.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { ENDPOINT_COLUMNS, type StoredWebhookEndpoint } from './webhook-endpoint.ts';
import { named } from '../named-statement.ts';

export interface NewWebhookEndpoint {
  id: string;
  url: string;
  description: string;
  eventTypes: readonly WebhookEventType[];
  enabled: boolean;
  sealedSecret: string;
  createdAt: Date;
}

export type WebhookEndpointChanges = Partial<
  Pick<NewWebhookEndpoint, 'url' | 'description' | 'eventTypes' | 'enabled'>
>;

/** The webhook endpoints of each workspace. */
export interface WebhookEndpointStore {
  /** Oldest first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredWebhookEndpoint>>;
  find(workspaceId: string, id: string): Promise<StoredWebhookEndpoint | null>;
  /** Whether entries of the audit trail wait for the endpoint or are in its history, even if it no longer names their type. */
  hasAuditEntries(workspaceId: string, id: string): Promise<boolean>;
  /** Creates an endpoint that receives the events from now on. */
  create(
    workspaceId: string,
    endpoint: NewWebhookEndpoint,
    by: Actor,
  ): Promise<StoredWebhookEndpoint | 'quota_exceeded'>;
  /** Returns null if there is no such endpoint. */
  update(
    workspaceId: string,
    id: string,
    changes: WebhookEndpointChanges,
    by: Actor,
  ): Promise<StoredWebhookEndpoint | null>;
  /** Replaces the secret. The old one also signs for `overlapMs`. Returns false if there is no such endpoint. */
  replaceSecret(
    workspaceId: string,
    id: string,
    secret: { sealed: string; overlapMs: number },
    by: Actor,
  ): Promise<boolean>;
  /** Deletes the endpoint with its deliveries. Returns false if there is no such endpoint. */
  remove(workspaceId: string, id: string, by: Actor): Promise<boolean>;
}

const FIND = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints w
  WHERE w.workspace_id = $1::uuid AND w.id = $2::uuid`;

const HAS_AUDIT_ENTRIES = `
SELECT EXISTS (SELECT FROM webhook_other_events WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid
    AND event_type = 'audit_entry.created')
  OR EXISTS (SELECT FROM webhook_deliveries WHERE workspace_id = $1::uuid AND endpoint_id = $2::uuid
    AND event_type = 'audit_entry.created') AS has`;

const CREATE = `
INSERT INTO webhook_endpoints (id, workspace_id, url, description, event_types, enabled,
  disabled_reason, sealed_secret, created_at, updated_at, position)
SELECT :id::uuid, :workspaceId::uuid, :url, :description, :eventTypes::text[], :enabled, CASE WHEN NOT :enabled THEN 'user' END, :sealedSecret, :createdAt, :createdAt,
  ${currentPosition(':workspaceId::uuid')}`;

// Enabling an endpoint resets its failures, so that a delivery is attempted immediately.
const UPDATE = `
UPDATE webhook_endpoints w SET
  url = COALESCE(:url, w.url), description = COALESCE(:description, w.description),
  event_types = COALESCE(:eventTypes::text[], w.event_types), enabled = COALESCE(:enabled, w.enabled),
  disabled_reason = CASE WHEN :enabled THEN NULL WHEN NOT :enabled THEN COALESCE(w.disabled_reason, 'user')
    ELSE w.disabled_reason END,
  failures = CASE WHEN :enabled OR :url IS NOT NULL THEN 0 ELSE w.failures END,
  failing_since = CASE WHEN :enabled OR :url IS NOT NULL THEN NULL ELSE w.failing_since END,
  not_before = CASE WHEN :enabled OR :url IS NOT NULL THEN NULL ELSE w.not_before END,
  revision = w.revision + 1, updated_at = now()
WHERE w.workspace_id = :workspaceId::uuid AND w.id = :id::uuid`;

const REPLACE_SECRET = `
UPDATE webhook_endpoints w SET sealed_secret = :sealed, previous_secret = w.sealed_secret,
  previous_until = now() + :overlapMs::float8 * interval '1 millisecond', revision = w.revision + 1,
  updated_at = now()
WHERE w.workspace_id = :workspaceId::uuid AND w.id = :id::uuid`;

export function createWebhookEndpointStore({
  prisma,
}: Pick<Database, 'prisma'>): WebhookEndpointStore {
  async function find(
    tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
    workspaceId: string,
    id: string,
  ): Promise<StoredWebhookEndpoint | null> {
    const [row] = await tx.$queryRawUnsafe<StoredWebhookEndpoint[]>(FIND, workspaceId, id);
    return row ?? null;
  }

  return {
    list: (workspaceId, page) =>
      listPage(
        page,
        () => prisma.webhookEndpoint.count({ where: { workspaceId } }),
        ({ skip, take }) =>
          prisma.$queryRawUnsafe(
            `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints w
             WHERE w.workspace_id = $1::uuid ORDER BY w.id OFFSET $2::int LIMIT $3::int`,
            workspaceId,
            skip,
            take,
          ),
      ),

    find: (workspaceId, id) => find(prisma, workspaceId, id),

    async hasAuditEntries(workspaceId, id) {
      const [row] = await prisma.$queryRawUnsafe<{ has: boolean }[]>(
        HAS_AUDIT_ENTRIES,
        workspaceId,
        id,
      );
      return row?.has === true;
    },

    create: (workspaceId, endpoint, by) =>
      prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const count = await tx.webhookEndpoint.count({ where: { workspaceId } });
        if (count >= QUOTAS.webhookEndpointsPerWorkspace) return 'quota_exceeded';
        const { id, url, eventTypes } = endpoint;
        const [create, values] = named(CREATE, { ...endpoint, workspaceId });
        await tx.$executeRawUnsafe(create, ...values);
        const detail = { url, event_types: [...eventTypes] };
        await recordAudit(tx, by, {
          workspaceId,
          action: 'webhook_endpoint.created',
          target: id,
          detail,
        });
        return getFound(await find(tx, workspaceId, id));
      }),

    update: (workspaceId, id, changes, by) =>
      prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const before = await find(tx, workspaceId, id);
        if (before === null) return null;
        const { url, description, eventTypes, enabled } = pickChanged(before, changes);
        const changed = { url, description, event_types: eventTypes, enabled };
        const detail = Object.fromEntries(
          Object.entries(changed).filter(([, value]) => value !== undefined),
        ) as Prisma.InputJsonObject;
        if (Object.keys(detail).length === 0) return before;
        const [update, values] = named(UPDATE, {
          workspaceId,
          id,
          url: url ?? null,
          description: description ?? null,
          eventTypes: eventTypes ?? null,
          enabled: enabled ?? null,
        });
        await tx.$executeRawUnsafe(update, ...values);
        await recordAudit(tx, by, {
          workspaceId,
          action: 'webhook_endpoint.changed',
          target: id,
          detail,
        });
        return find(tx, workspaceId, id);
      }),

    replaceSecret: (workspaceId, id, { sealed, overlapMs }, by) =>
      prisma.$transaction(async (tx) => {
        const [replace, values] = named(REPLACE_SECRET, { workspaceId, id, sealed, overlapMs });
        const count = await tx.$executeRawUnsafe(replace, ...values);
        if (count === 0) return false;
        await recordAudit(tx, by, {
          workspaceId,
          action: 'webhook_endpoint.secret_rotated',
          target: id,
          detail: { overlap_seconds: overlapMs / 1_000 },
        });
        return true;
      }),

    remove: (workspaceId, id, by) =>
      prisma.$transaction(async (tx) => {
        const before = await find(tx, workspaceId, id);
        if (before === null) return false;
        const { count } = await tx.webhookEndpoint.deleteMany({ where: { workspaceId, id } });
        if (count === 0) return false;
        await recordAudit(tx, by, {
          workspaceId,
          action: 'webhook_endpoint.deleted',
          target: id,
          detail: { url: before.url },
        });
        return true;
      }),
  };
}

function pickChanged(
  before: StoredWebhookEndpoint,
  changes: WebhookEndpointChanges,
): Partial<Pick<StoredWebhookEndpoint, 'url' | 'description' | 'eventTypes' | 'enabled'>> {
  const { url, description, eventTypes, enabled } = changes;
  const areSame = (types: readonly string[]) => types.join() === before.eventTypes.join();
  return {
    ...(url !== undefined && url !== before.url && { url }),
    ...(description !== undefined && description !== before.description && { description }),
    ...(eventTypes !== undefined && !areSame(eventTypes) && { eventTypes: [...eventTypes] }),
    ...(enabled !== undefined && enabled !== before.enabled && { enabled }),
  };
}

function getFound<Row>(row: Row | null): Row {
  if (row === null) throw new Error('the row that was just written is missing');
  return row;
}
