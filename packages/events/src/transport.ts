/** What carries payloads between processes: the only part that differs between the backends. */
export interface Transport {
  /** Sends them in this order, in one round trip. May hang; the caller bounds it in time. */
  send(payloads: readonly string[]): Promise<void>;
  /** Asks the subscribed connection itself. Rejects while there is none. May hang. */
  ping(): Promise<void>;
  /** Lets go of the connections. May hang. */
  close(): Promise<void>;
}

export interface TransportOptions {
  channel: string;
  /** How long a connection that owes an answer is taken for alive. */
  timeoutMs: number;
  /** Each payload of any process, this one included. */
  onPayload(payload: string): void;
  /** The subscription stands, for the first time or again: earlier payloads may be missing. */
  onSubscribed(): void;
  onError(error: Error): void;
}

/** A connection that died without a word is found out by asking it this often. */
export const HEARTBEAT_MS = 2_000;
