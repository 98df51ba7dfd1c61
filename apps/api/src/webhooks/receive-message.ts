import type { AccountAddress, Clock, InboundMessage, ReceiveInbound } from '@switchboard/core';
import type { FastifyRequest } from 'fastify';
import type { OutageRetry } from './retry-during-outage.ts';

export interface ReceiveMessageDependencies {
  outageRetry: Pick<OutageRetry, 'retry'>;
  receiveInbound: ReceiveInbound;
  clock: Pick<Clock, 'now'>;
}

/** Creates the function that stores a received message. It waits for an unavailable database. */
export function createReceiveMessage(dependencies: ReceiveMessageDependencies) {
  const { outageRetry, receiveInbound, clock } = dependencies;

  return async function receiveMessage(
    request: FastifyRequest,
    account: AccountAddress,
    message: InboundMessage,
  ): Promise<void> {
    // Right after the start of this process, the clock of the database may not be known yet.
    const now = await outageRetry.retry(async () => clock.now());
    const id = await receiveInbound(message, {
      ...account,
      now,
      listedAt: null,
      requestId: request.id,
      traceParent: request.span?.traceParent ?? null,
      log: request.log,
    });
    if (id !== null) request.createdMessageId = id;
  };
}
