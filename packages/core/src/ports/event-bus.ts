/**
 * What processes tell each other. Small by design (NOTIFY carries 8,000 bytes), and a wake-up
 * only: a subscriber reads the rows, so a lost notice delays and never misleads.
 */
export type BusNotice =
  /** Event `seq` of the workspace is committed; `messageId` lets waiting requests wake. */
  | { kind: 'message'; workspaceId: string; messageId: string; seq: number }
  /** A credential or membership ended: its sockets must close. */
  | { kind: 'session_ended'; sessionId: string }
  | { kind: 'api_key_revoked'; apiKeyId: string }
  | { kind: 'member_removed'; workspaceId: string; userId: string };

export interface EventBus {
  /**
   * Listeners of this bus are told before it returns, those of others by way of the backend. Rejects
   * within its own time-out; never hangs. Order of one call's notices is kept.
   */
  publish(notices: readonly BusNotice[]): Promise<void>;
  /**
   * As `publish`, for one that nobody waits for: those of one moment go together, in their order,
   * and the log hears of what fails.
   */
  publishLater(notice: BusNotice): void;
  /** Calls `listener` once for each notice of any process, this one included. Returns the way out. */
  subscribe(listener: (notice: BusNotice) => void): () => void;
  /** Calls `listener` when notices may have been missed: after each reconnect. */
  onGap(listener: () => void): () => void;
  /** Resolves while the subscription is alive; rejects within its time-out otherwise. */
  ping(): Promise<void>;
  /** After all that was given to `publishLater` has been sent, or has failed. */
  close(): Promise<void>;
}
