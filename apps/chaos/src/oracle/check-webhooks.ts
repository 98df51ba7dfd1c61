import type { Delivery } from '../webhooks/start-receiver.ts';
import type { EndpointFate } from '../webhooks/watch-webhooks.ts';
import { type Violation, toViolations } from './violation.ts';

/** The row of an endpoint at the end of the run. */
export interface StoredEndpoint {
  id: string;
  enabled: boolean;
  disabledReason: string | null;
  /** When it was disabled, as `Date.now()`. */
  updatedMs: number;
  /** The numbers that the endpoint has assigned to events. */
  sequences: readonly number[];
}

export interface CheckedEndpoint {
  id: string;
  workspaceId: string;
  fate: EndpointFate;
  deletedMs: number | null;
  receiver: { deliveries: readonly Delivery[]; forged: readonly string[] };
}

/** Attempts that were in flight, even in a frozen worker, may arrive this much later. */
const IN_FLIGHT_MS = 8_000;
/** After a restore, the numbers continue at the next multiple of this size, plus one. */
const EPOCH_SIZE = 1_000_000;

/**
 * Checks the deliveries to the receivers of workspace webhooks: every visible event was acknowledged, the
 * numbers have no gap, an event repeats only under its `webhook-id` and number, every delivery was
 * signed, and no delivery started after its endpoint was deleted or disabled.
 */
export function checkWebhooks(
  endpoints: readonly CheckedEndpoint[],
  stored: readonly StoredEndpoint[],
  events: readonly { id: string; workspaceId: string }[],
): Violation[] {
  const rows = new Map(stored.map((row) => [row.id, row]));
  return endpoints.flatMap((endpoint) => {
    const row = rows.get(endpoint.id);
    return toViolations('webhook', [
      ...findForged(endpoint),
      ...findRenumbered(endpoint),
      ...(endpoint.fate === 'stays'
        ? [...findMissing(endpoint, events), ...findGaps(endpoint, row)]
        : findLate(endpoint, row)),
    ]);
  });
}

function findForged({ id, receiver }: CheckedEndpoint): string[] {
  return receiver.forged.length === 0
    ? []
    : [`${receiver.forged.length} deliveries to ${id} have no valid signature`];
}

/** An event that was not delivered before a restore may have a different number after the restore. */
function findRenumbered({ id, receiver }: CheckedEndpoint): string[] {
  const found: string[] = [];
  const idOf = new Map<number, string>();
  const numberOf = new Map<string, number>();
  for (const { id: eventId, sequence } of receiver.deliveries) {
    const epoch = Math.floor(sequence / EPOCH_SIZE);
    const other = idOf.get(sequence);
    if (other !== undefined && other !== eventId) {
      found.push(`number ${sequence} of ${id} belongs to ${other} and ${eventId}`);
    }
    const number = numberOf.get(`${epoch} ${eventId}`);
    if (number !== undefined && number !== sequence) {
      found.push(`event ${eventId} has the numbers ${number} and ${sequence} for ${id}`);
    }
    idOf.set(sequence, eventId);
    numberOf.set(`${epoch} ${eventId}`, sequence);
  }
  return found;
}

function findMissing(
  { id, workspaceId, receiver }: CheckedEndpoint,
  events: readonly { id: string; workspaceId: string }[],
): string[] {
  const acknowledged = new Set(
    receiver.deliveries.filter((one) => one.acknowledged).map((one) => one.id),
  );
  return events
    .filter((event) => event.workspaceId === workspaceId && !acknowledged.has(event.id))
    .map((event) => `event ${event.id} was not acknowledged by ${id}`);
}

function findGaps({ id, receiver }: CheckedEndpoint, row: StoredEndpoint | undefined): string[] {
  if (row === undefined) return [`endpoint ${id} has no row`];
  const acknowledged = new Set(
    receiver.deliveries.filter((one) => one.acknowledged).map((one) => one.sequence),
  );
  const missing = row.sequences.filter((sequence) => !acknowledged.has(sequence));
  const given = new Set(row.sequences);
  const gaps = row.sequences.filter(
    (sequence) => sequence % EPOCH_SIZE !== 1 && !given.has(sequence - 1),
  );
  return [
    ...missing.map((sequence) => `number ${sequence} of ${id} was not acknowledged`),
    ...gaps.map((sequence) => `number ${sequence} of ${id} follows a gap`),
  ];
}

function findLate(endpoint: CheckedEndpoint, row: StoredEndpoint | undefined): string[] {
  const { id, fate, deletedMs, receiver } = endpoint;
  if (fate === 'deleted' && row !== undefined) return [`the deleted endpoint ${id} has a row`];
  if (fate === 'gone' && (row === undefined || row.enabled || row.disabledReason !== 'gone')) {
    return [`endpoint ${id} responded with 410 and is not disabled`];
  }
  const endedMs = fate === 'deleted' ? deletedMs : (row?.updatedMs ?? null);
  if (endedMs === null) return [];
  const end = fate === 'deleted' ? 'deleted' : 'disabled';
  return receiver.deliveries
    .filter(({ at }) => at > endedMs + IN_FLIGHT_MS)
    .map(
      ({ sequence, at }) =>
        `number ${sequence} of ${id} arrived ${at - endedMs} ms after the endpoint was ${end}`,
    );
}
