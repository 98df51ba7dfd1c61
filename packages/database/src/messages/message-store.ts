import type { WrittenEvent } from './events/read-events.ts';
import {
  type DispatchHint,
  GATHER_WHEN_BUSY,
  type MessageKey,
  type ReadText,
  type Received,
  type ReceivedMessage,
  createBatch,
} from '@switchboard/core';
import type { Database } from '../database.ts';
import { NO_SESSIONS, type SessionClaims } from './claims/session-claims.ts';
import { createAcceptMessages } from './acceptance/accept-messages.ts';
import { bringForward } from './backlog/bring-forward.ts';
import { type AdvanceMessage, createAdvanceMessage } from './changes/advance-message.ts';
import { type ApplyChange, createApplyChange } from './changes/apply-change.ts';
import { type ClaimHint, createClaimMessage, createClaimTrial } from './claims/claim-message.ts';
import type { ClaimedMessage } from './claims/claim-messages.ts';
import type { TraceableRow } from './rows/dispatch-row-columns.ts';
import { findMessage } from './history/find-message.ts';
import { findReceived } from './inbound/find-received.ts';
import type { AcceptedMessage } from './acceptance/accepted-message.ts';
import type { AcceptResult } from './acceptance/insert-messages.ts';
import { findTrial } from './backlog/find-trial.ts';
import { type MessagePage, listMessages } from './history/list-messages.ts';
import type { MessageFilter } from './filters/message-filter.ts';
import { type Repeat, listRepeats } from './history/list-repeats.ts';
import { type RecordedDuplicate, recordDuplicate } from './changes/record-duplicate.ts';
import {
  findRowByProviderSid,
  findRowsBySidKeys,
  isElsewhere,
  readDispatchRows,
} from './rows/read-dispatch-rows.ts';
import {
  type LookUpContext,
  type LookUpContextQuery,
  type LookUpWindow,
  readLookUpContext,
  readLookUpWindow,
} from './lookups/read-look-up-context.ts';
import { createReceiveMessages } from './inbound/receive-messages.ts';
import type { StoredMessage } from './rows/stored-message.ts';
import {
  type DueMessage,
  type ReadyMessage,
  type TakeDueOptions,
  listReadyMessages,
  takeDueMessages,
} from './backlog/take-due-messages.ts';

/**
 * Stores messages and their events. Concurrent calls to one method share the next statement, so each
 * method takes one item and costs a fraction of a round trip.
 */
export interface MessageStore {
  /**
   * Accepts a message.
   *
   * @throws AppError `service_unavailable`: certainly not stored. `send_failed`: not stored or in
   *   doubt, as its detail says.
   */
  accept(message: AcceptedMessage): Promise<AcceptResult>;
  /** Returns null if the message is not ready, not due, or claimed by another worker. */
  claim(hint: ClaimHint): Promise<ClaimedMessage | null>;
  /** Does the same as `claim`, even for a paused provider account. */
  claimTrial(hint: ClaimHint): Promise<ClaimedMessage | null>;
  /** Finds the message to send first when a paused account works again; null if none is waiting. */
  findTrial(workspaceId: string): Promise<DispatchHint | null>;
  /** Makes the ready messages of these workspaces due after `inMs`, if they are due later. */
  bringForward(workspaceIds: readonly string[], inMs: number): Promise<void>;
  readRow(key: MessageKey): Promise<TraceableRow | null>;
  findRowByProviderSid(vendorAccountId: string, sid: string): Promise<TraceableRow | null>;
  /** Returns whether another workspace has events of the message. */
  isElsewhere(key: MessageKey): Promise<boolean>;
  /** See `HolderStore`. */
  findRowsBySidKeys(
    vendorAccountId: string,
    keys: readonly string[],
  ): Promise<(TraceableRow & { to: string })[]>;
  readLookUpContext(query: LookUpContextQuery): Promise<LookUpContext>;
  /** Returns null if there was no attempt. */
  readLookUpWindow(key: MessageKey): Promise<LookUpWindow | null>;
  apply: ApplyChange;
  /**
   * Writes a report of the provider without reading the message first. Returns null if the message
   * is not in the state of `StatusAdvance`.
   */
  advance: AdvanceMessage;
  /**
   * Returns null if the timeline already reports that the provider also accepted the message as
   * `sid`.
   */
  recordDuplicate(key: MessageKey, sid: string): Promise<RecordedDuplicate | null>;
  find(workspaceId: string, idOrSid: string): Promise<StoredMessage | null>;
  /** Lists the messages that repeat a message, newest first. */
  listRepeats(workspaceId: string, messageId: string, limit: number): Promise<Repeat[]>;
  list(
    workspaceId: string,
    filter: MessageFilter,
    page: { number: number; size: number },
  ): Promise<MessagePage>;
  /** Returns null if the message is already stored: the provider repeats unanswered webhooks. */
  receive(message: ReceivedMessage, text: ReadText): Promise<Received | null>;
  /** Returns which of these identifiers the workspace has already received. */
  findReceived(
    workspaceId: string,
    vendorAccountId: string,
    sids: readonly string[],
  ): Promise<ReadonlySet<string>>;
  takeDue(options: TakeDueOptions): Promise<DueMessage[]>;
  listReady(after: ReadyMessage | null, limit: number): Promise<ReadyMessage[]>;
}

export interface MessageStoreOptions {
  leaseMs: number;
  /** How long after acceptance the sweeper takes a message that no worker has claimed. */
  hintGraceMs: number;
  /**
   * Keyword replies that a workspace sends within an hour. `Infinity` means no limit. Default: 1,000.
   */
  keywordRepliesPerHour?: number;
  /** Returns which accounts need a session. Default: none. */
  listSessions?: () => SessionClaims;
  /** Called with the events of `accept` and `advance`, after their commit. Default: none. */
  onEvent?: (event: WrittenEvent) => void;
}

const KEYWORD_REPLIES_PER_HOUR = 1_000;

const BATCH = { maxSize: 500, concurrency: 1, maxWaiting: 20_000, gather: GATHER_WHEN_BUSY };

export function createMessageStore(
  database: Pick<Database, 'pool' | 'numbering'>,
  options: MessageStoreOptions,
): MessageStore {
  const { pool } = database;
  const readRow = createBatch<MessageKey, TraceableRow | null>({
    ...BATCH,
    async run(keys) {
      const rows = await readDispatchRows(pool, keys);
      return keys.map(({ workspaceId, id }) => rows.get(`${workspaceId} ${id}`) ?? null);
    },
  });

  const listSessions = options.listSessions ?? (() => NO_SESSIONS);

  return {
    accept: createAcceptMessages(database, options.hintGraceMs, options.onEvent),
    claim: createClaimMessage(pool, options.leaseMs, listSessions),
    claimTrial: createClaimTrial(pool, options.leaseMs, listSessions),
    findTrial: (workspaceId) => findTrial(pool, workspaceId),
    bringForward: (workspaceIds, inMs) => bringForward(pool, workspaceIds, inMs),
    readRow,
    apply: createApplyChange(database),
    advance: createAdvanceMessage(database, options.onEvent),
    findRowByProviderSid: (vendorAccountId, sid) =>
      findRowByProviderSid(pool, vendorAccountId, sid),
    isElsewhere: (key) => isElsewhere(pool, key),
    findRowsBySidKeys: (vendorAccountId, keys) => findRowsBySidKeys(pool, vendorAccountId, keys),
    readLookUpContext: (query) => readLookUpContext(pool, query),
    recordDuplicate: (key, sid) => recordDuplicate(database, key, sid),
    readLookUpWindow: (key) => readLookUpWindow(pool, key),
    find: (workspaceId, idOrSid) => findMessage(pool, workspaceId, idOrSid),
    listRepeats: (workspaceId, messageId, limit) =>
      listRepeats(pool, workspaceId, messageId, limit),
    list: (workspaceId, filter, page) => listMessages(pool, workspaceId, filter, page),
    receive: createReceiveMessages(database, {
      hintGraceMs: options.hintGraceMs,
      keywordRepliesPerHour: options.keywordRepliesPerHour ?? KEYWORD_REPLIES_PER_HOUR,
    }),
    findReceived: (workspaceId, vendorAccountId, sids) =>
      findReceived(pool, workspaceId, vendorAccountId, sids),
    takeDue: (due) => takeDueMessages(pool, due),
    listReady: (after, limit) => listReadyMessages(pool, after, limit),
  };
}
