import type { InboundStore, InboundTurn } from '@switchboard/database';
import type { Logger } from '@switchboard/runtime';
import { type ReadInboundDependencies, createReadInbound } from './read-inbound.ts';

export interface WatchInboundDependencies extends Omit<
  ReadInboundDependencies,
  'isStopping' | 'turnMs' | 'cursors'
> {
  cursors: InboundStore;
  logger: Logger;
}

export interface InboundWatch {
  /** Starts reading the lists that are due, without waiting for them. */
  look(): Promise<void>;
  /** Waits for the page that is being read. The next turn reads the rest. */
  stop(): Promise<void>;
}

/** How often each account's list is read. A turn that takes longer is extended. */
const EVERY_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
export const INBOUND_CONCURRENCY = 8;

/**
 * Finds messages whose webhook the provider stopped retrying: it retries for seconds, and the
 * service may be down for longer. One worker at a time reads an account, page by page.
 */
export function createInboundWatch(deps: WatchInboundDependencies): InboundWatch {
  const inFlight = new Set<Promise<void>>();
  let nextAt = 0;
  let isStopping = false;
  const readInbound = createReadInbound({
    ...deps,
    turnMs: EVERY_MS,
    isStopping: () => isStopping,
  });

  async function takeTurn(turn: InboundTurn): Promise<void> {
    try {
      await readInbound(turn);
    } catch (error) {
      // The cursor is unchanged, so the next turn reads from there again.
      deps.logger.warn(
        { err: error, workspace_id: turn.workspaceId },
        'failed to read inbound messages',
      );
    }
  }

  return {
    async look() {
      const free = INBOUND_CONCURRENCY - inFlight.size;
      if (free === 0 || isStopping || performance.now() < nextAt) return;
      const turns = await deps.cursors.takeTurns(free, EVERY_MS);
      for (const turn of turns) {
        const work = takeTurn(turn).finally(() => inFlight.delete(work));
        inFlight.add(work);
      }
      // While accounts wait, every sweep takes some of them.
      if (turns.length < free) nextAt = performance.now() + LOOK_EVERY_MS;
    },
    async stop() {
      isStopping = true;
      await Promise.all(inFlight);
    },
  };
}
