import { refuse, routes } from '@switchboard/contracts';
import { type WebhookEventType, hasPermission } from '@switchboard/core';
import type { WebhookEndpointStore } from '@switchboard/database';
import type { FastifyRequest } from 'fastify';

/** The caller as the route's hooks have accepted it: only a session has a membership. */
interface Caller {
  request: Partial<Pick<FastifyRequest, 'membership'>>;
}

const namesAuditTrail = (types: readonly WebhookEventType[]) =>
  types.includes('audit_entry.created');

/** Throws `forbidden` unless the caller may read the audit trail with `GET …/audit`, as no API key may. */
function assertMayReadAuditTrail({ request: { membership } }: Caller): void {
  const { permission } = routes.listAuditEntries;
  if (membership !== undefined && hasPermission(membership.role, permission)) return;
  throw refuse(routes.addWebhookEndpoint, 'forbidden');
}

/** Throws `forbidden` if the types include the audit trail, and the caller may not read it. */
export function assertMayName(caller: Caller, eventTypes: readonly WebhookEventType[]): void {
  if (namesAuditTrail(eventTypes)) assertMayReadAuditTrail(caller);
}

/**
 * Returns a hook that runs before the body is read: an unknown endpoint, and one that has entries of the audit trail,
 * or will receive some, and that the caller may not use, take precedence over an invalid body.
 */
export function createRequireEndpoint(
  webhookEndpoints: Pick<WebhookEndpointStore, 'find' | 'hasAuditEntries'>,
) {
  return async function requireEndpoint(
    call: Caller & { workspaceId: string; params: { endpointId: string } },
  ): Promise<void> {
    const { workspaceId, params } = call;
    const found = await webhookEndpoints.find(workspaceId, params.endpointId);
    if (found === null) throw refuse(routes.getWebhookEndpoint, 'not_found');
    const hasEntries =
      namesAuditTrail(found.eventTypes) ||
      (await webhookEndpoints.hasAuditEntries(workspaceId, params.endpointId));
    if (hasEntries) assertMayReadAuditTrail(call);
  };
}
