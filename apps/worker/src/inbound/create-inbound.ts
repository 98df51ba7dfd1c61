import { type DispatchHint, type ReportProblem, createReceiveInbound } from '@switchboard/core';
import { type MessageStore, createInboundStore } from '@switchboard/database';
import type { Infrastructure } from '../infrastructure.ts';
import { type InboundReaderDependencies, createInboundReader } from './inbound-reader.ts';

interface InboundDependencies extends Pick<
  InboundReaderDependencies,
  'publicUrl' | 'resolveProviderAccount' | 'probeAccount' | 'monitor' | 'metrics' | 'logger'
> {
  infrastructure: Pick<Infrastructure, 'database' | 'databaseClock' | 'bus'>;
  store: Pick<MessageStore, 'findReceived' | 'receive'>;
  dispatchHere(hint: DispatchHint): boolean;
  reportProblem: ReportProblem;
}

/** Creates the reader of the providers' lists of inbound messages. */
export function createInbound(dependencies: InboundDependencies) {
  const { infrastructure, store } = dependencies;
  return createInboundReader({
    ...dependencies,
    cursors: createInboundStore(infrastructure.database),
    messages: store,
    receiveInbound: createReceiveInbound({
      store: store.receive,
      publishLater: infrastructure.bus.publishLater,
      hintLater: dependencies.dispatchHere,
      reportProblem: dependencies.reportProblem,
    }),
    databaseClock: infrastructure.databaseClock,
    clock: { monotonic: () => performance.now() },
  });
}
