import {
  type DispatchHint,
  type DispatchPolicy,
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
import type { Infrastructure } from '../infrastructure.ts';
import { type ReceiverDependencies, createReceivers } from './create-receiver.ts';
import { createStoreLongMessage } from './store-long-message.ts';

/** Creates the receiver of deliveries in provider sessions. */
export function createReceiving(deps: {
  infrastructure: Pick<Infrastructure, 'database' | 'databaseClock' | 'bus' | 'registry'>;
  store: Pick<MessageStore, 'receive' | 'readRow' | 'findRowByProviderSid'>;
  unmatchedCallbacks: Pick<UnmatchedCallbackStore, 'keep' | 'take'>;
  transition: Transition;
  policy: DispatchPolicy;
  dispatchHere(hint: DispatchHint): boolean;
  metrics: ReceiverDependencies['metrics'];
  logger: ReceiverDependencies['logger'];
}) {
  const { store, unmatchedCallbacks, transition, policy } = deps;
  const { database, databaseClock, bus, registry } = deps.infrastructure;
  const longMessages = createLongMessageStore(database);
  const deliveries = createSessionDeliveryStore(database);
  const receiveInbound = createReceiveInbound({
    store: store.receive,
    publishLater: bus.publishLater,
    hintLater: deps.dispatchHere,
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
    createReceiver: createReceivers({
      ...deps,
      recordStatusCallback: createRecordStatusCallback({
        messages: store,
        unmatchedCallbacks,
        transition,
        policy,
      }),
      messages: store,
      receiveInbound,
      storeLongMessage,
      deliveries,
      longMessages,
      databaseClock,
    }),
  };
}
