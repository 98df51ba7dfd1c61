export type LoadProgram = 'service' | 'kannel';

/** The plan of the load generator. Its process receives it as JSON. */
export interface LoadPlan {
  /** The URL of the API, or of Kannel's `sendsms` with its credentials. */
  url: string;
  /** How requests are written: POST /api/messages, or as Kannel expects them. */
  program: LoadProgram;
  /** Used in turn. Kannel has none. */
  apiKeys: readonly string[];
  connections: number;
  /** The duration of the load after the warm-up, which is not measured. */
  seconds: number;
  warmUpSeconds: number;
  /** The pause between two requests of one connection. 0 sends the next one after the response. */
  pauseMs: number;
  /** The maximum number of requests, including the warm-up. Null for no limit. */
  requests: number | null;
  /** The maximum number of requests without a credit. Null for no limit. Credits arrive as `LoadCredit`. */
  window: number | null;
}

/** Reports to the generator how many of its requests are processed, counted from the start. */
export interface LoadCredit {
  done: number;
}

export interface LoadResult {
  /** The number of responses by status, after the warm-up. */
  answers: Record<string, number>;
  /** Accepted messages per second, after the warm-up. */
  acceptedPerSecond: number;
  /** The number of accepted messages, including the warm-up. */
  acceptedInTotal: number;
  /** The latencies of all requests after the warm-up, in milliseconds. */
  latencyMs: { p50: number; p99: number; max: number };
  /** The share of time in which the generator was busy, 0 to 1. Near 1, the generator is the bottleneck. */
  busy: number;
}
