import type { WebhookTarget } from '@switchboard/database';
import type { SlotPath } from '../fair-slots.ts';

/**
 * Deliveries that one worker makes at the same time, each on a connection, and what an owner gets of those
 * that other owners leave, as does a workspace within it, and an endpoint within this.
 */
export const DELIVERY_SLOTS = { slots: 1_000, part: 1 / 4 };

export function pathOf({
  ownerId,
  workspaceId,
  id,
}: Pick<WebhookTarget, 'ownerId' | 'workspaceId' | 'id'>): SlotPath {
  return [ownerId, workspaceId, id];
}
