import type { InboundStore, InboundTurn } from '@switchboard/database';
import { type ReadInboundDependencies, createReadInbound } from './read-inbound.ts';

export interface InboundReaderDependencies extends Omit<
  ReadInboundDependencies,
  'isStopping' | 'turnMs' | 'cursors'
> {
  cursors: InboundStore;
}

export interface InboundReader {
  /** Starts to read the lists that are due, without waiting for them. */
  readDueLists(): Promise<void>;
  /** Waits for the page that is being read. The next turn reads the rest. */
  stop(): Promise<void>;
}

/** How often each account's list is read. A turn that takes longer is extended. */
const EVERY_MS = 60_000;
/** How often the worker queries which lists are due. */
const QUERY_EVERY_MS = 5_000;
export const INBOUND_CONCURRENCY = 8;

/**
 * Imports messages whose webhooks the provider no longer retries: the provider retries for seconds,
 * and the service may be unavailable for longer. Each account is read by one worker at a time, one
 * page after the other.
 */
export function createInboundReader(dependencies: InboundReaderDependencies): InboundReader {
  const inFlight = new Set<Promise<void>>();
  let nextAt = 0;
  let isStopping = false;
  const readInbound = createReadInbound({
    ...dependencies,
    turnMs: EVERY_MS,
    isStopping: () => isStopping,
  });

  async function takeTurn(turn: InboundTurn): Promise<void> {
    try {
      await readInbound(turn);
    } catch (error) {
      // The cursor stays, and the next turn reads from there again.
      dependencies.logger.warn(
        { err: error, workspace_id: turn.workspaceId },
        'failed to read inbound messages',
      );
    }
  }

  return {
    async readDueLists() {
      const free = INBOUND_CONCURRENCY - inFlight.size;
      if (free === 0 || isStopping || performance.now() < nextAt) return;
      const turns = await dependencies.cursors.takeTurns(free, EVERY_MS);
      for (const turn of turns) {
        const work = takeTurn(turn).finally(() => inFlight.delete(work));
        inFlight.add(work);
      }
      // While accounts are waiting, every sweep takes some.
      if (turns.length < free) nextAt = performance.now() + QUERY_EVERY_MS;
    },
    async stop() {
      isStopping = true;
      await Promise.all(inFlight);
    },
  };
}
