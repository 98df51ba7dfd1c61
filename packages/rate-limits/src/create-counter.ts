import { createBatch } from '@switchboard/core';
import {
  type ClientRequests,
  type WindowRule,
  type WindowStore,
  admittedByGroup,
  windowOf,
} from './window-store.ts';

/** Requests that were counted together in a window. */
export interface Counted {
  requests: number;
  /** The position of the last of them in the window, from 1. */
  position: number;
  /** The time until the window ends. */
  msLeft: number;
}

export interface CountedRequests {
  client: Counted;
  /** Only the requests within their client's limit. Null if there are none, and without a group. */
  group: Counted | null;
}

/** Returns how many of the requests, from the first, are within a limit. */
export function countAdmitted({ requests, position }: Counted, limit: number): number {
  return Math.max(0, Math.min(requests, limit - (position - requests)));
}

/**
 * Counts concurrent calls in one call of the store. Each gets the positions that a separate call would
 * return.
 */
export function createCounter(store: WindowStore, rule: WindowRule) {
  return createBatch<ClientRequests, CountedRequests>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(calls) {
      const clients = new Map<string, ClientRequests>();
      for (const { client, group, requests } of calls) {
        const known = clients.get(client);
        clients.set(client, { client, group, requests: (known?.requests ?? 0) + requests });
      }
      const windows = await store.count([...clients.values()], rule);

      const next = new Map<string, number>();
      const take = (name: string, all: number, requests: number): Counted => {
        const { counted, msLeft } = windowOf(windows, name);
        const position = (next.get(name) ?? counted - all) + requests;
        next.set(name, position);
        return { requests, position, msLeft };
      };
      const admitted = admittedByGroup(clients.values(), windows, rule.limit);
      return calls.map(({ client, group, requests }) => {
        const own = take(client, clients.get(client)?.requests ?? 0, requests);
        const within = countAdmitted(own, rule.limit);
        if (group === null || within === 0) return { client: own, group: null };
        return { client: own, group: take(group, admitted.get(group) ?? 0, within) };
      });
    },
  });
}
