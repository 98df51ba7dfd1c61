import { createBatch } from '@switchboard/core';
import {
  type ClientRequests,
  type WindowRule,
  type WindowStore,
  admittedByGroup,
  windowOf,
} from './window-store.ts';

/** The position of a request in a window, from 1, and the time until the window ends. */
export interface Counted {
  position: number;
  msLeft: number;
}

export interface CountedRequest {
  client: Counted;
  /** Null without a group and for a request beyond its client's limit. */
  group: Counted | null;
}

/**
 * Counts concurrent requests in one call. Each gets the positions that a separate call would
 * return.
 */
export function createCounter(store: WindowStore, rule: WindowRule) {
  return createBatch<Omit<ClientRequests, 'requests'>, CountedRequest>({
    maxSize: 500,
    concurrency: 2,
    maxWaiting: 10_000,
    async run(requests) {
      const clients = new Map<string, ClientRequests>();
      for (const { client, group } of requests) {
        const known = clients.get(client);
        clients.set(client, { client, group, requests: (known?.requests ?? 0) + 1 });
      }
      const windows = await store.count([...clients.values()], rule);

      const next = new Map<string, number>();
      const take = (name: string, size: number): Counted => {
        const { counted, msLeft } = windowOf(windows, name);
        const position = next.get(name) ?? counted - size + 1;
        next.set(name, position + 1);
        return { position, msLeft };
      };
      const admitted = admittedByGroup(clients.values(), windows, rule.limit);
      return requests.map(({ client, group }) => {
        const own = take(client, clients.get(client)?.requests ?? 0);
        const isCounted = group !== null && own.position <= rule.limit;
        return { client: own, group: isCounted ? take(group, admitted.get(group) ?? 0) : null };
      });
    },
  });
}
