import { type DispatchHint, createReceiveInbound } from '@switchboard/core';
import { type MessageStore, createInboundStore } from '@switchboard/database';
import type { Infrastructure } from '../infrastructure.ts';
import { type WatchInboundDependencies, createInboundWatch } from './watch-inbound.ts';

interface InboundDependencies extends Pick<
  WatchInboundDependencies,
  'resolveProviderAccount' | 'metrics' | 'logger'
> {
  infrastructure: Pick<Infrastructure, 'database' | 'databaseClock' | 'bus'>;
  store: Pick<MessageStore, 'findReceived' | 'receive'>;
  dispatchHere(hint: DispatchHint): boolean;
}

/** Creates the watcher that reads the providers' lists of inbound messages. */
export function createInbound(deps: InboundDependencies) {
  const { infrastructure, store } = deps;
  return createInboundWatch({
    ...deps,
    cursors: createInboundStore(infrastructure.database),
    messages: store,
    receiveInbound: createReceiveInbound({
      store: store.receive,
      publishLater: infrastructure.bus.publishLater,
      hintLater: deps.dispatchHere,
    }),
    databaseClock: infrastructure.databaseClock,
  });
}
