import type { LeasedEndpoint } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import { shareOf } from '../fair-slots.ts';
import { DELIVERY_SLOTS } from './delivery-slots.ts';

export interface EndpointPoolOptions {
  /** Leases endpoints that have something to deliver, in some workspaces or in all. */
  lease(query: {
    workspaceIds: readonly string[] | null;
    limit: number;
    except: readonly string[];
    exceptOwners: readonly string[];
    perOwner: number;
  }): Promise<LeasedEndpoint[]>;
  /**
   * Delivers until nothing is left. `takeNotifications` returns whether notifications have arrived
   * since its last call.
   */
  advance(
    endpoint: LeasedEndpoint,
    leasedAt: number,
    takeNotifications: () => boolean,
  ): Promise<boolean>;
  logger: Logger;
}

interface Running {
  ownerId: string;
  /** The number of notifications that the endpoint has processed. */
  seen: number;
  done: Promise<void>;
}

/** A hung endpoint occupies one of these and delays no other endpoint. */
const MAX_RUNNING = 1_000;
/** All workspaces of an owner together. */
const MAX_RUNNING_PER_OWNER = shareOf(DELIVERY_SLOTS.part, MAX_RUNNING);
/** After a lease that found nothing, the endpoints of a workspace wait for the next poll. */
const MAX_IDLE = 10_000;

/**
 * Runs each leased endpoint independently. An endpoint that has delivered everything is kept with
 * its state, so that its next event needs no new lease: the claim checks that no other worker has
 * leased it.
 */
export function createEndpointPool({ lease, advance, logger }: EndpointPoolOptions) {
  const running = new Map<string, Running>();
  /** Notifications of each workspace since the last poll that found it without endpoints. */
  const notifications = new Map<string, number>();
  /** Endpoints without new events, by workspace. */
  const idle = new Map<string, Map<string, LeasedEndpoint>>();
  /** Workspaces with an enabled endpoint. */
  let workspaces = new Set<string>();
  /**
   * Workspaces without an endpoint to lease since the last poll: each was held or leased elsewhere.
   */
  const denied = new Set<string>();
  const wanted = new Set<string>();
  let leasing: Promise<void> | null = null;
  let isStopping = false;

  function run(endpoint: LeasedEndpoint, leasedAt: number): void {
    const { id, workspaceId, ownerId } = endpoint;
    const countNotifications = () => notifications.get(workspaceId) ?? 0;
    const entry: Running = { ownerId, seen: countNotifications(), done: Promise.resolve() };
    running.set(id, entry);
    const takeNotifications = () => {
      const hasNotifications = countNotifications() !== entry.seen;
      entry.seen = countNotifications();
      return hasNotifications && !isStopping;
    };
    entry.done = advance(endpoint, leasedAt, takeNotifications)
      .catch((error: unknown) => {
        logger.warn(
          { err: error, endpoint_id: id, workspace_id: workspaceId },
          'failed to advance webhook endpoint',
        );
        return false;
      })
      .then((isIdle) => {
        running.delete(id);
        if (isIdle) keep(endpoint);
        // A notification arrived after the last read, or the state has changed.
        if (takeNotifications()) wake(workspaceId);
      });
  }

  function countByOwner(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { ownerId } of running.values()) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
    return counts;
  }

  function keep(endpoint: LeasedEndpoint): void {
    if (idle.size >= MAX_IDLE) idle.clear();
    const kept = idle.get(endpoint.workspaceId) ?? new Map<string, LeasedEndpoint>();
    kept.set(endpoint.id, endpoint);
    idle.set(endpoint.workspaceId, kept);
  }

  /** Runs the endpoints of a workspace, after one of its events was committed. */
  function wake(workspaceId: string): void {
    if (isStopping || !workspaces.has(workspaceId)) return;
    notifications.set(workspaceId, (notifications.get(workspaceId) ?? 0) + 1);
    const kept = idle.get(workspaceId);
    idle.delete(workspaceId);
    const byOwner = countByOwner();
    for (const endpoint of kept?.values() ?? []) {
      const count = (byOwner.get(endpoint.ownerId) ?? 0) + 1;
      byOwner.set(endpoint.ownerId, count);
      // A poll leases the others.
      if (count <= MAX_RUNNING_PER_OWNER) run(endpoint, performance.now());
    }
    if (denied.has(workspaceId)) return;
    wanted.add(workspaceId);
    leasing ??= leaseWanted().finally(() => (leasing = null));
  }

  async function leaseWanted(): Promise<void> {
    while (wanted.size > 0 && !isStopping) {
      const workspaceIds = [...wanted];
      wanted.clear();
      await leaseSome(workspaceIds);
    }
  }

  async function leaseSome(workspaceIds: readonly string[] | null): Promise<void> {
    const limit = MAX_RUNNING - running.size;
    if (limit <= 0) return;
    const leasedAt = performance.now();
    try {
      const byOwner = [...countByOwner()];
      const leased = await lease({
        workspaceIds,
        limit,
        except: [...running.keys()],
        exceptOwners: byOwner.filter(([, n]) => n >= MAX_RUNNING_PER_OWNER).map(([id]) => id),
        perOwner: MAX_RUNNING_PER_OWNER,
      });
      for (const endpoint of leased) {
        idle.get(endpoint.workspaceId)?.delete(endpoint.id);
        if (!running.has(endpoint.id)) run(endpoint, leasedAt);
      }
      const found = new Set(leased.map(({ workspaceId }) => workspaceId));
      for (const id of workspaceIds ?? []) if (!found.has(id)) denied.add(id);
    } catch (error) {
      logger.warn({ err: error }, 'failed to lease webhook endpoints');
    }
  }

  return {
    wake,
    /** Must be called after an endpoint of the workspace was created or changed. */
    add(workspaceId: string): void {
      workspaces.add(workspaceId);
      denied.delete(workspaceId);
      wake(workspaceId);
    },
    async poll(workspaceIds: readonly string[]): Promise<void> {
      workspaces = new Set(workspaceIds);
      denied.clear();
      for (const known of [idle, notifications]) {
        for (const id of known.keys()) if (!workspaces.has(id)) known.delete(id);
      }
      if (!isStopping && workspaces.size > 0) await leaseSome(null);
    },
    async stop(): Promise<void> {
      isStopping = true;
      await leasing;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
