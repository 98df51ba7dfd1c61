/** What the load generator is to do. Sent to its process as JSON. */
export interface LoadPlan {
  /** Of the API; requests go to its POST /api/messages. */
  url: string;
  /** Requests take turns through them. */
  apiKeys: readonly string[];
  connections: number;
  /** Loads for so long, after a warm-up that is not counted. */
  seconds: number;
  warmUpSeconds: number;
  /** Between two requests of one connection; 0: the next follows the answer. */
  pauseMs: number;
  /** Requests in all, warm-up included; null: no end but the time's. */
  requests: number | null;
  /** Begun, but not yet credited, at most; null: no limit. Credits come as `LoadCredit`. */
  window: number | null;
}

/** Tells the generator that so many of its requests have been worked off, from the start on. */
export interface LoadCredit {
  done: number;
}

export interface LoadResult {
  /** Answers by status, after the warm-up. */
  answers: Record<string, number>;
  /** Answered 201 per second, after the warm-up. */
  acceptedPerSecond: number;
  /** Answered 201, warm-up included. */
  acceptedInAll: number;
  /** Of all requests after the warm-up, milliseconds. */
  latencyMs: { p50: number; p99: number; max: number };
  /** 0 to 1: the share of time in which the generator had something to do. Near 1, it is the limit. */
  busy: number;
}
