import type { DispatchHint } from './message-queue.ts';

/**
 * A notification between processes. It is small, because NOTIFY limits payloads to 8,000 bytes, and
 * only wakes the receiver, which then reads the rows: a lost notification causes a delay, not an error.
 */
export type BusNotification =
  /** Event `seq` of the workspace is committed. `messageId` wakes requests that wait for it. */
  | { kind: 'message'; workspaceId: string; messageId: string; seq: number }
  /**
   * A conversation has changed, or its note `noteId`. A user has assigned it if `assignedBy` is set. The
   * change mentions the users `mentioned`, whom the note did not mention before.
   */
  | {
      kind: 'inbox';
      workspaceId: string;
      number: string;
      noteId: string | null;
      assignedBy?: string;
      mentioned?: readonly string[];
    }
  /** A user is typing a reply in a conversation, or has stopped. Nothing stores it, and its loss is harmless. */
  | ({ kind: 'typing' } & Typing)
  /** A credential or membership has ended: its sockets must close. */
  | { kind: 'session_ended'; sessionId: string }
  | { kind: 'api_key_revoked'; apiKeyId: string }
  | { kind: 'member_removed'; workspaceId: string; userId: string }
  /** Sockets of this workspace or user must be checked: the rule of the second factor, a factor or a role has changed. */
  | { kind: 'access_changed'; id: string }
  /** An endpoint of the workspace was changed, or has a delivery that is due. */
  | { kind: 'webhooks_changed'; workspaceId: string }
  /** For one worker: a message of an account with which it has a session may be ready to send. */
  | ({ kind: 'hint'; workerId: string } & DispatchHint);

export interface Typing {
  workspaceId: string;
  number: string;
  userId: string;
  userName: string;
  isTyping: boolean;
}

export interface EventBus {
  /**
   * Calls the listeners of this bus before it returns, and those of other processes through the
   * backend. Keeps the order. Rejects after a timeout and never hangs.
   */
  publish(notifications: readonly BusNotification[]): Promise<void>;
  /**
   * Publishes in the background, in order and in batches. Failures are logged.
   */
  publishLater(notification: BusNotification): void;
  /** Calls `listener` for each notification of any process. Returns a function that unsubscribes. */
  subscribe(listener: (notification: BusNotification) => void): () => void;
  /** Calls `listener` after each reconnect, when notifications may have been missed. */
  onGap(listener: () => void): () => void;
  /** Resolves while the subscription works. Otherwise rejects after at most its timeout. */
  ping(): Promise<void>;
  /** Closes the bus after all notifications of `publishLater` have been sent or have failed. */
  close(): Promise<void>;
}
