import type { Socket } from 'node:net';
import { RESPONSE } from './commands.ts';
import { createFrameReader } from './frame-reader.ts';
import type { SessionBudget } from './session-budget.ts';

interface IncomingOptions {
  budget: SessionBudget;
  /** Handles a PDU. The result is for a request that is not yet handled. */
  handle(frame: Buffer): Promise<void> | null;
  /** Ends the connection for a reason that its owner sees. */
  cut(reason: string): void;
}

/**
 * Reads PDUs in turns, so that other work of the process is not delayed, and stops reading while this
 * side is behind: then the peer's TCP stack holds back what it sends.
 */
export function readIncoming(socket: Socket, { budget, handle, cut }: IncomingOptions) {
  const frames = createFrameReader();
  const waiters = new Set<() => void>();
  let waiting: Buffer[] = [];
  let next = 0;
  let pending = 0;
  let pendingBytes = 0;
  let turn: NodeJS.Immediate | null = null;
  let unreadTimer: NodeJS.Timeout | null = null;
  let partialTimer: NodeJS.Timeout | null = null;

  const isUnread = (): boolean => socket.writableLength > budget.unreadBytes;
  const isBehind = (): boolean =>
    pending >= budget.pendingRequests || pendingBytes >= budget.pendingBytes || isUnread();

  function track(work: Promise<void>, bytes: number): void {
    pending += 1;
    pendingBytes += bytes;
    void work.finally(() => {
      pending -= 1;
      pendingBytes -= bytes;
      if (pending === 0) wake();
      schedule();
    });
  }

  function wake(): void {
    for (const resolve of waiters) resolve();
    waiters.clear();
  }

  function takeTurn(): void {
    turn = null;
    // One write for all responses of the turn.
    socket.cork();
    for (let count = 0; count < budget.pdusPerTurn && next < waiting.length; count += 1) {
      if (isBehind() || socket.destroyed) break;
      const frame = waiting[next++];
      const work = frame === undefined ? null : handle(frame);
      if (work !== null) track(work, frame?.length ?? 0);
    }
    socket.uncork();
    if (next === waiting.length) {
      waiting = [];
      next = 0;
    }
    schedule();
  }

  /** Continues with the next turn, or reads on, as soon as that is possible. */
  function schedule(): void {
    if (socket.destroyed) return;
    watchUnread();
    if (isBehind() || waiting.length > 0) socket.pause();
    else socket.resume();
    if (turn === null && waiting.length > 0 && !isBehind()) turn = setImmediate(takeTurn);
  }

  function watchUnread(): void {
    if (!isUnread() || unreadTimer !== null) return;
    unreadTimer = setTimeout(() => {
      cut(`The SMSC did not read for ${budget.unreadMs} ms what was sent to it.`);
    }, budget.unreadMs);
  }

  function watchPartial(): void {
    if (!frames.isPartial || partialTimer !== null) return;
    partialTimer = setTimeout(() => {
      partialTimer = null;
      // The rest may have arrived while nothing was read.
      if (socket.isPaused()) watchPartial();
      else cut(`The SMSC did not complete a PDU within ${budget.partialMs} ms.`);
    }, budget.partialMs);
  }

  socket.on('data', (chunk: Buffer) => {
    const whole = frames.push(chunk);
    if (whole === null) return cut('The SMSC sent bytes that are not SMPP.');
    if (partialTimer !== null && (whole.length > 0 || !frames.isPartial)) {
      clearTimeout(partialTimer);
      partialTimer = null;
    }
    watchPartial();
    waiting.push(...whole);
    if (turn === null) takeTurn();
  });
  socket.on('drain', () => {
    if (unreadTimer !== null) clearTimeout(unreadTimer);
    unreadTimer = null;
    schedule();
  });
  socket.on('close', () => {
    for (const timer of [unreadTimer, partialTimer]) if (timer !== null) clearTimeout(timer);
    wake();
    // A response that was read is evidence. A request could no longer be answered.
    for (const frame of waiting.slice(next)) if (isResponse(frame)) void handle(frame);
    waiting = [];
  });

  return {
    isBehind,
    /** Resolves when all requests that were read have been handled, or the connection is closed. */
    async idle(): Promise<void> {
      if (pending === 0 || socket.destroyed) return;
      await new Promise<void>((resolve) => waiters.add(resolve));
    },
  };
}

function isResponse(frame: Buffer): boolean {
  return frame.readUInt32BE(4) >= RESPONSE;
}
