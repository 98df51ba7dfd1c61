/** Sends payloads between processes. Only this part differs between the backends. */
export interface Transport {
  /** Sends the payloads in order, in one round trip. May hang; the caller sets a timeout. */
  send(payloads: readonly string[]): Promise<void>;
  /** Pings the subscribed connection. Rejects if there is none. May hang. */
  ping(): Promise<void>;
  /** Closes the connections. May hang. */
  close(): Promise<void>;
}

export interface TransportOptions {
  channel: string;
  /** A connection without a response within this time counts as lost. */
  timeoutMs: number;
  /** Called for each payload of any process, including this one. */
  onPayload(payload: string): void;
  /** Called after each subscription. Payloads before it may have been missed. */
  onSubscribed(): void;
  onError(error: Error): void;
}

/** How often a ping detects a connection that was lost without an error. */
export const HEARTBEAT_MS = 2_000;
