import {
  type DispatchHint,
  type DispatchPolicy,
  type ReportProblem,
  type Transition,
  createReceiveInbound,
  createRecordStatusCallback,
} from '@switchboard/core';
import {
  type MessageStore,
  type UnmatchedCallbackStore,
  createLongMessageStore,
  createSessionDeliveryStore,
} from '@switchboard/database';
import { webhookLimit } from '@switchboard/rate-limits';
import type { Infrastructure } from '../infrastructure.ts';
import { createAdmitDelivery } from './admit-deliveries.ts';
import { type ReceiverDependencies, createReceivers } from './create-receiver.ts';
import { createStoreLongMessage } from './store-long-message.ts';

/** Creates the receiver of deliveries in provider sessions. */
export function createReceiving(dependencies: {
  infrastructure: Pick<
    Infrastructure,
    'database' | 'databaseClock' | 'bus' | 'registry' | 'limits'
  >;
  /** Webhooks and deliveries of one workspace in a minute. */
  maxPerMinute: number;
  store: Pick<
    MessageStore,
    'receive' | 'readRow' | 'isElsewhere' | 'findRowByProviderSid' | 'findRowsBySidKeys'
  >;
  unmatchedCallbacks: Pick<UnmatchedCallbackStore, 'keep' | 'take'>;
  transition: Transition;
  policy: DispatchPolicy;
  dispatchHere(hint: DispatchHint): boolean;
  reportProblem: ReportProblem;
  metrics: ReceiverDependencies['metrics'];
  logger: ReceiverDependencies['logger'];
}) {
  const { store, unmatchedCallbacks, transition, policy } = dependencies;
  const { database, databaseClock, bus, registry, limits } = dependencies.infrastructure;
  const longMessages = createLongMessageStore(database);
  const deliveries = createSessionDeliveryStore(database);
  const receiveInbound = createReceiveInbound({
    store: store.receive,
    publishLater: bus.publishLater,
    hintLater: dependencies.dispatchHere,
    reportProblem: dependencies.reportProblem,
  });
  const { recordStatusCallback, recordKeptCallback } = createRecordStatusCallback({
    messages: store,
    unmatchedCallbacks,
    transition,
    policy,
  });
  const storeLongMessage = createStoreLongMessage({
    receiveInbound,
    longMessages,
    databaseClock,
    registry,
  });

  return {
    longMessages,
    deliveries,
    storeLongMessage,
    recordKeptCallback,
    createReceiver: createReceivers({
      ...dependencies,
      recordStatusCallback,
      messages: store,
      receiveInbound,
      storeLongMessage,
      deliveries,
      longMessages,
      databaseClock,
      admitDelivery: createAdmitDelivery({
        limit: limits.createLimit(webhookLimit(dependencies.maxPerMinute)),
      }),
    }),
  };
}
