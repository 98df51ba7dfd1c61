/** The state of a window after requests were counted in it. */
export interface Window {
  /** All requests in the window, including refused ones. */
  counted: number;
  msLeft: number;
}

/** The requests of one client that are counted together. */
export interface ClientRequests {
  client: string;
  requests: number;
  /** The window that the client shares with others, or null. */
  group: string | null;
}

export interface WindowRule {
  windowMs: number;
  /** Requests of a client beyond this limit do not count for its group. */
  limit: number;
}

/**
 * Counts requests in windows that start with their first request. Every store uses one clock for
 * all processes, so that a process with a wrong clock counts correctly.
 */
export interface WindowStore {
  /** Returns the windows of all clients and groups, by name. Each client occurs once. */
  count(clients: readonly ClientRequests[], rule: WindowRule): Promise<Map<string, Window>>;
  /** Removes one request from the current window, if there is one. */
  removeCount(client: string): Promise<void>;
}

/**
 * Returns the number of requests in a batch that count for each group: those within their client's
 * limit.
 */
export function admittedByGroup(
  clients: Iterable<ClientRequests>,
  windows: ReadonlyMap<string, Window>,
  limit: number,
): Map<string, number> {
  const admitted = new Map<string, number>();
  for (const { client, requests, group } of clients) {
    if (group === null) continue;
    const { counted } = windowOf(windows, client);
    const within = Math.max(0, Math.min(requests, limit - (counted - requests)));
    admitted.set(group, (admitted.get(group) ?? 0) + within);
  }
  return admitted;
}

export function windowOf(windows: ReadonlyMap<string, Window>, name: string): Window {
  const window = windows.get(name);
  if (window === undefined) throw new Error('the rate-limit store did not count a client');
  return window;
}
