import { createHash } from 'node:crypto';
import {
  type Clock,
  type ReceiveInbound,
  type RecordStatusCallback,
  type ReportProblem,
  type SessionInbound,
  type SessionReceiver,
  type StatusCallback,
  createUuidV7,
} from '@switchboard/core';
import type {
  LongMessageStore,
  MessageStore,
  SessionDeliveryStore,
  TraceableRow,
} from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import type { StoreLongMessage } from '../provider-sessions.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { UsableAccount } from './usable-account.ts';
import { type AdmitDelivery, DeliveryLimitError } from './admit-deliveries.ts';
import { createRepeats } from './recognize-repeats.ts';
import { toStorable } from './store-long-message.ts';

export interface ReceiverDependencies {
  recordStatusCallback: RecordStatusCallback<TraceableRow>;
  messages: Pick<MessageStore, 'readRow'>;
  receiveInbound: ReceiveInbound;
  storeLongMessage: StoreLongMessage;
  deliveries: SessionDeliveryStore;
  longMessages: Pick<LongMessageStore, 'addPart' | 'find'>;
  databaseClock: Pick<Clock, 'now'>;
  admitDelivery: AdmitDelivery;
  reportProblem: ReportProblem;
  metrics: Pick<WorkerMetrics, 'sessionDeliveries' | 'sessionProblems'>;
  logger: Logger;
}

const LIMIT_LOGGED_EVERY_MS = 60_000;

/** Stores what the provider delivers in one session. */
export interface Receiver extends Pick<SessionReceiver, 'onStatus' | 'onInbound' | 'onProblem'> {
  onStateChange(isBound: boolean): void;
}

export type CreateReceiver = (account: UsableAccount, isHeld: () => boolean) => Receiver;

export function createReceivers(dependencies: ReceiverDependencies): CreateReceiver {
  const { metrics } = dependencies;

  return function createReceiver(account, isHeld) {
    const { id: providerId, workspaceId } = account;
    const { vendorAccountId } = account.resolved.account;
    const log = dependencies.logger.child({ workspace_id: workspaceId, provider_id: providerId });
    let limitLoggedAt = Number.NEGATIVE_INFINITY;
    const repeats = createRepeats({ ...dependencies, account, isHeld, logger: log });

    /**
     * After the end of the lease, another worker may hold the session and store the deliveries that
     * the provider repeats.
     */
    function assertHeld(): void {
      if (!isHeld()) throw new Error('the lease of the session has ended');
    }

    async function onStatus(callback: StatusCallback): Promise<void> {
      const { messageId, sid, status, rawStatus, errorCode } = callback;
      let message: object = {};
      const result = await dependencies.recordStatusCallback({
        workspaceId,
        providerId,
        addressed:
          messageId === null
            ? null
            : await dependencies.messages.readRow({ workspaceId, id: messageId }),
        callback,
        log,
        onMessage({ id, requestId }) {
          message = { message_id: id, message_request_id: requestId };
        },
      });
      const fields = { ...message, provider_sid: sid, status: status ?? rawStatus, result };
      if (result === 'foreign') {
        log.warn(fields, 'delivery receipt for a message of another workspace ignored');
      } else {
        log.info({ ...fields, error_code: errorCode ?? undefined }, 'delivery receipt received');
      }
    }

    async function onInbound(inbound: SessionInbound): Promise<void> {
      const { message, part } = inbound;
      if (part === null && message.sid !== null) return storeWhole(inbound, message.sid);
      await repeats.identify(digestOf(inbound), (id) =>
        part === null ? storeWhole(inbound, id) : storePart(inbound, part, id),
      );
    }

    async function storeWhole({ message }: SessionInbound, sid: string): Promise<void> {
      const requestId = createUuidV7(Date.now());
      const body = toStorable(message.body);
      const id = await dependencies.receiveInbound(
        { ...message, body, sid, vendorAccountId },
        {
          workspaceId,
          providerId,
          now: dependencies.databaseClock.now(),
          listedAt: null,
          requestId,
          traceParent: null,
          log,
        },
      );
      log.info(
        { message_id: id, request_id: requestId, is_repeated: id === null },
        'inbound message received',
      );
    }

    async function storePart(
      { message: { from, to, body } }: SessionInbound,
      { reference, total, sequence, content }: NonNullable<SessionInbound['part']>,
      deliveryId: string,
    ): Promise<void> {
      const key = { workspaceId, providerId, vendorAccountId, from, to, reference, total };
      const add = () =>
        dependencies.longMessages.addPart({ ...key, deliveryId, sequence, body, content });
      let added = await add();
      if (added === 'reused') {
        const earlier = await dependencies.longMessages.find(key);
        if (earlier !== null) await dependencies.storeLongMessage(earlier, { isLate: true, log });
        added = await add();
      }
      if (added === 'repeated') return;
      if (added === 'reused') throw new Error('the parts of two messages have the same reference');
      if (added.parts.size < total) return;
      try {
        await dependencies.storeLongMessage(added, { isLate: false, log });
      } catch (error) {
        // All parts are stored, so a sweeper stores the message.
        log.warn({ err: error }, 'failed to store a complete long message');
      }
    }

    async function count(kind: 'receipt' | 'message', work: () => Promise<void>): Promise<void> {
      try {
        await dependencies.admitDelivery(workspaceId, async () => {
          assertHeld();
          await work();
        });
        metrics.sessionDeliveries.inc({ kind, result: 'stored' });
      } catch (error) {
        const isLimited = error instanceof DeliveryLimitError;
        metrics.sessionDeliveries.inc({ kind, result: isLimited ? 'limited' : 'failed' });
        if (isLimited) logLimit(error);
        else log.warn({ err: error, kind }, 'failed to store a delivery of a provider session');
        throw error;
      }
    }

    /** The provider repeats what is refused, so this would be logged many times. */
    function logLimit(error: DeliveryLimitError): void {
      const now = performance.now();
      if (now - limitLoggedAt < LIMIT_LOGGED_EVERY_MS) return;
      limitLoggedAt = now;
      log.warn({ err: error }, 'deliveries of a provider session refused: too many');
    }

    return {
      onStatus: (callback) => count('receipt', () => onStatus(callback)),
      onInbound: (inbound) => count('message', () => onInbound(inbound)),
      onProblem(problem) {
        metrics.sessionProblems.inc({ kind: problem.kind });
        dependencies.reportProblem({ workspaceId, providerId }, problem);
      },
      onStateChange: repeats.onStateChange,
    };
  };
}

function digestOf({ message: { sid, from, to, body }, part }: SessionInbound): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([sid, from, to, body, part]))
    .digest();
}
