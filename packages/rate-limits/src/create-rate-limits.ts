import { AppError } from '@switchboard/core';
import { type Counted, countAdmitted, createCounter } from './create-counter.ts';
import { type WindowStoreOptions, openWindowStore } from './open-window-store.ts';
import { type WindowStore, windowOf } from './window-store.ts';

interface LimitOptions {
  /** A part of the keys in the store: limits with the same name share their windows. */
  name: string;
  /** Maximum per window and client; `Infinity` for no limit. */
  requests: number;
  /** Completes "More than 100 requests …" in the refusal, such as "from the whole workspace". */
  scope?: string;
}

export interface RateLimitOptions extends LimitOptions {
  windowSeconds: number;
  /**
   * Another limit for all clients of a group together, counted in the same call. A request beyond
   * its client's own limit does not count toward the group, so that one client cannot use up the
   * share of the others.
   */
  group?: LimitOptions;
}

/** The client and group in whose windows a request counts. */
export interface LimitedClient {
  client: string;
  group?: string;
}

/** The window that leaves the client the fewest requests. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least one. */
  resetSeconds: number;
  /** How many of the requests, from the first, are within all limits. */
  admitted: number;
  /** The limit that the other requests exceed, or null. */
  exceeded: string | null;
}

/** Counts the requests of one client in a window that starts with its first request. */
export interface RateLimit {
  /** Counts requests, one by default. Returns null if no limit applies. */
  count(client: LimitedClient, requests?: number): Promise<LimitState | null>;
}

/** Limits the failed attempts of a client in a window. Successful attempts do not count. */
export interface FailureLimit {
  /**
   * Counts the attempt as failed before it is made, so that concurrent attempts cannot bypass the
   * limit, and returns the number of failures. Throws `rate_limited` beyond the limit.
   */
  begin(clientId: string): Promise<number>;
  /** Removes the count of an attempt that succeeded. */
  succeed(clientId: string): Promise<void>;
}

export interface RateLimits {
  createLimit(options: RateLimitOptions): RateLimit;
  createFailureLimit(options: {
    name: string;
    failures: number;
    windowSeconds: number;
  }): FailureLimit;
  close(): Promise<void>;
}

/**
 * The limit of what the provider of a workspace sends: webhooks to APIs, and deliveries in the sessions of
 * workers. They share its windows.
 */
export function webhookLimit(requests: number): RateLimitOptions {
  return {
    name: 'webhooks',
    requests,
    scope: 'from the provider of this workspace',
    windowSeconds: 60,
  };
}

/** Creates limits that all processes share, in Redis or PostgreSQL. */
export function createRateLimits(options: WindowStoreOptions): RateLimits {
  const store = openWindowStore(options);
  return {
    createLimit: ({ windowSeconds, ...limit }) => ({
      count: createCount(store, windowSeconds, limit),
    }),

    createFailureLimit({ name, failures, windowSeconds }) {
      const rule = { windowMs: windowSeconds * 1000, limit: failures };
      return {
        async begin(clientId) {
          const client = `${name}:${clientId}`;
          const windows = await store.count([{ client, requests: 1, group: null }], rule);
          const { counted, msLeft } = windowOf(windows, client);
          if (counted > failures) {
            throw new AppError('rate_limited', 'Too many failed attempts; try again later', {
              retryAfterSeconds: toSeconds(msLeft),
            });
          }
          return counted;
        },
        succeed: (clientId) => store.removeCount(`${name}:${clientId}`),
      };
    },

    close: () => store.close(),
  };
}

function createCount(
  store: WindowStore,
  windowSeconds: number,
  { group, ...own }: Omit<RateLimitOptions, 'windowSeconds'>,
): RateLimit['count'] {
  if (!Number.isFinite(own.requests)) {
    if (group === undefined) return async () => null;
    const countGroup = createCount(store, windowSeconds, group);
    return async (limited, requests) =>
      limited.group === undefined ? null : countGroup({ client: limited.group }, requests);
  }

  const countBoth = createCounter(store, { windowMs: windowSeconds * 1000, limit: own.requests });
  const isGroupLimited = group !== undefined && Number.isFinite(group.requests);
  return async (limited, requests = 1) => {
    const counted = await countBoth({
      client: `${own.name}:${limited.client}`,
      requests,
      group:
        isGroupLimited && limited.group !== undefined ? `${group.name}:${limited.group}` : null,
    });
    const state = toState(own, counted.client, windowSeconds);
    if (!isGroupLimited || counted.group === null) return state;
    const groupState = toState(group, counted.group, windowSeconds);
    const isTighter = groupState.exceeded !== null || groupState.remaining < state.remaining;
    return { ...(isTighter ? groupState : state), admitted: groupState.admitted };
  };
}

function toState(
  { requests, scope }: LimitOptions,
  counted: Counted,
  windowSeconds: number,
): LimitState {
  const what = scope === undefined ? 'requests' : `requests ${scope}`;
  return {
    limit: requests,
    remaining: Math.max(0, requests - counted.position),
    resetSeconds: toSeconds(counted.msLeft),
    admitted: countAdmitted(counted, requests),
    exceeded:
      counted.position > requests
        ? `More than ${requests} ${what} in ${windowSeconds} seconds`
        : null,
  };
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
