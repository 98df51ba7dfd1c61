import { START_OF_SLOT } from './take-event-numbers.ts';

/** Returns the SQL of the position after all events of a workspace, as the numbers of `positionOf`. */
export const currentPosition = (workspaceId: string): string =>
  `ARRAY(SELECT last_seq FROM event_counters WHERE workspace_id = ${workspaceId})`;

/** Returns the SQL condition that a workspace has events after a stored position. */
export const hasEventsAfter = (position: string, workspaceId: string): string => `
EXISTS (
  SELECT FROM event_counters c
  WHERE c.workspace_id = ${workspaceId} AND c.last_seq > COALESCE(
    (SELECT max(p) FROM unnest(${position}) AS p WHERE event_slot_of(p) = c.slot),
    ${START_OF_SLOT('c.slot')})
)`;
