import type { FaultRecord } from '../nemesis/run-faults.ts';
import type { StoredAttempt, StoredMessage } from './read-database.ts';
import type { Violation } from './violation.ts';

/**
 * How long a worker needs to detect an outage, including the calls that are then in flight. A worker
 * that has just restarted on a busy machine takes seconds to send its first messages.
 */
const DETECTION_MS = 5_000;
/**
 * Maximum calls for one workspace in the rest of an outage: five failures for each worker, and some
 * probes.
 */
const MAX_PROBES = 16;
const WORKERS = ['worker-1', 'worker-2'];
/**
 * Errors with which the carrier refuses a message because of its content. SMPP has no media, so a
 * message with media fails if no other account may send it.
 */
const OWN_REFUSALS = new Set(['21211', '40310', '1170', 'ESME_RINVDSTADR', 'media_not_supported']);

/**
 * Checks that an outage of the provider fails no message: no message is refused, none uses up its
 * one resend, and all calls except some probes wait until the outage is over.
 */
export function checkOutages(
  happened: readonly FaultRecord[],
  rows: readonly StoredMessage[],
  attempts: readonly StoredAttempt[],
): Violation[] {
  const violations: Violation[] = [];
  const report = (detail: string, messageIds: string[] = []) =>
    violations.push({ check: 'outage', detail, messageIds });

  const lastAttempts = new Map(attempts.map(({ messageId, at }) => [messageId, at]));
  for (const { id, dispatch, errorCode } of rows) {
    if (dispatch === 'rejected' && !OWN_REFUSALS.has(errorCode ?? '')) {
      report(`${id} failed with ${errorCode}`, [id]);
    }
  }
  for (const { fault, fromMs, toMs } of happened) {
    if (fault.kind !== 'provider_errors' && fault.kind !== 'provider_refuses') continue;
    const detectedMs = findDetection(happened, fromMs);
    const isDuring = (at: Date | undefined) =>
      at !== undefined && at.getTime() > detectedMs && at.getTime() < toMs;
    for (const { id, dispatch, resends } of rows) {
      if (dispatch === 'unresolved' && resends > 0 && isDuring(lastAttempts.get(id))) {
        report(`${id} was sent again during the provider’s outage and failed`, [id]);
      }
    }
    const calls = new Map<string, number>();
    for (const { workspaceId, provider, at } of attempts) {
      if (provider === fault.provider && isDuring(at))
        calls.set(workspaceId, (calls.get(workspaceId) ?? 0) + 1);
    }
    for (const [workspaceId, count] of calls) {
      if (count > MAX_PROBES)
        report(`${workspaceId} called the provider ${count} times during its outage`);
    }
  }
  return violations;
}

/**
 * Returns the time by which at least one worker has detected an outage, because it ran long enough
 * without being killed, frozen or cut off from the database.
 */
function findDetection(happened: readonly FaultRecord[], fromMs: number): number {
  const runsFrom = new Map<string, number>();
  const stops = happened
    .flatMap(({ fault, ...span }) => {
      if (fault.kind.startsWith('postgres_')) return WORKERS.map((target) => ({ target, ...span }));
      return (fault.kind === 'kill' || fault.kind === 'freeze') && WORKERS.includes(fault.target)
        ? [{ target: fault.target, ...span }]
        : [];
    })
    .toSorted((a, b) => a.fromMs - b.fromMs);
  for (const { target, ...stop } of stops) {
    const runs = runsFrom.get(target) ?? fromMs;
    const hasDetected = stop.fromMs - runs >= DETECTION_MS;
    runsFrom.set(target, hasDetected ? runs : Math.max(runs, stop.toMs));
  }
  return Math.min(...WORKERS.map((worker) => runsFrom.get(worker) ?? fromMs)) + DETECTION_MS;
}
