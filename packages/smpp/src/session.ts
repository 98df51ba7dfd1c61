import type { Socket } from 'node:net';
import { COMMAND_IDS, RESPONSE } from './commands.ts';
import { decodePdu } from './decode-pdu.ts';
import { encodePdu } from './encode-pdu.ts';
import { readIncoming } from './incoming.ts';
import type { Pdu, PduContent } from './pdu.ts';
import { SESSION_BUDGET, createMinuteCounter } from './session-budget.ts';

/** The outcome of a request. */
export type RequestResult =
  /** The response, or a generic_nack. */
  | { type: 'response'; pdu: Pdu }
  /** The connection was closed before the request was written: the peer does not have it. */
  | { type: 'not_written' }
  /**
   * The peer may have it: the connection ended, the time ran out, or the response was to another command,
   * which ends the connection.
   */
  | { type: 'no_response'; reason: 'closed' | 'timeout' | 'mismatched' };

export interface Session {
  /**
   * Writes the request synchronously. The result never rejects. `onLate` gets a response that
   * arrives after the time has run out.
   */
  request(pdu: PduContent, timeoutMs: number, onLate?: (pdu: Pdu) => void): Promise<RequestResult>;
  /** Writes a response to a request of the peer. */
  respond(pdu: PduContent, sequence: number): void;
  /** The number of bytes that the peer has sent. */
  readonly bytesReceived: number;
  /** Nothing is read from the peer, because this process or the peer is behind. */
  readonly isBehind: boolean;
  /** Why the connection was ended: the limit that the peer exceeded. Null if it exceeded none. */
  readonly excess: string | null;
  /**
   * Resolves when both sides have responded to all requests, or the connection is closed, and after
   * `timeoutMs` at the latest.
   */
  idle(timeoutMs: number): Promise<void>;
  /** Closes our side of the connection: responses of the peer still arrive. */
  end(): void;
  /** Closes the connection immediately. Requests without a response get `no_response`. */
  destroy(): void;
}

interface SessionOptions {
  /**
   * Called for each request of the peer, except enquire_link, which is answered here. Returns a promise
   * of the response for a request that carries a message or a bind; it must not reject. While many are
   * pending, nothing more is read.
   */
  onRequest(pdu: Pdu): Promise<void> | null;
  onClose(): void;
  budget?: Partial<typeof SESSION_BUDGET>;
}

interface PendingRequest {
  pdu: PduContent;
  onLate: ((pdu: Pdu) => void) | undefined;
  finish(result: RequestResult): void;
}

const MAX_SEQUENCE = 0x7fffffff;
/** A peer that never responds must not fill the memory. */
const MAX_LATE = 1_000;

/** Exchanges PDUs over a connection, in both directions. */
export function createSession(socket: Socket, options: SessionOptions): Session {
  const { onRequest, onClose } = options;
  const budget = { ...SESSION_BUDGET, ...options.budget };
  const pending = new Map<number, PendingRequest>();
  const late = new Map<number, Pick<PendingRequest, 'pdu' | 'onLate'>>();
  const waiters = new Set<() => void>();
  const isOneTooMany = createMinuteCounter(budget.emptyPdusPerMinute);
  let lastSequence = 0;
  let isClosed = false;
  let excess: string | null = null;

  function cut(reason: string): void {
    excess ??= reason;
    socket.destroy();
  }

  function write(pdu: PduContent, sequence: number): void {
    if (!isClosed && socket.writable) socket.write(encodePdu(pdu, sequence));
  }

  /** Counts a PDU that carries no message, which costs work and is of no use. */
  function countEmpty(): null {
    const { emptyPdusPerMinute } = budget;
    if (isOneTooMany()) {
      cut(`The SMSC sent more than ${emptyPdusPerMinute} PDUs without a message within a minute.`);
    }
    return null;
  }

  function receive(frame: Buffer): Promise<void> | null {
    const decoded = decodePdu(frame);
    const { sequence } = decoded.ok ? decoded.pdu : decoded;
    if (!decoded.ok) {
      const { commandId, status } = decoded;
      if (commandId < RESPONSE) write({ command: 'generic_nack', status }, sequence);
      return countEmpty();
    }
    const { pdu } = decoded;
    if (pdu.command === 'enquire_link') {
      write({ command: 'enquire_link_resp', status: 0 }, sequence);
      return countEmpty();
    }
    if (COMMAND_IDS[pdu.command] >= RESPONSE) return receiveResponse(pdu) ? null : countEmpty();
    return onRequest(pdu) ?? countEmpty();
  }

  /** Returns whether the PDU responds to a request. */
  function receiveResponse(pdu: Pdu): boolean {
    const waiting = pending.get(pdu.sequence);
    if (waiting === undefined) {
      const expired = late.get(pdu.sequence);
      late.delete(pdu.sequence);
      if (expired === undefined || !isResponseTo(expired.pdu, pdu)) return false;
      expired.onLate?.(pdu);
    } else if (isResponseTo(waiting.pdu, pdu)) {
      waiting.finish({ type: 'response', pdu });
    } else {
      // The two sides disagree on the sequence numbers, so no later response could be trusted.
      waiting.finish({ type: 'no_response', reason: 'mismatched' });
      socket.destroy();
    }
    return true;
  }

  function keepForLate(sequence: number, expired: Pick<PendingRequest, 'pdu' | 'onLate'>): void {
    late.set(sequence, expired);
    const [oldest] = late.keys();
    if (late.size > MAX_LATE && oldest !== undefined) late.delete(oldest);
  }

  async function responded(): Promise<void> {
    if (pending.size > 0) await new Promise<void>((resolve) => waiters.add(resolve));
  }

  const incoming = readIncoming(socket, { budget, handle: receive, cut });
  // 'close' follows every error.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    for (const { finish } of pending.values()) finish({ type: 'no_response', reason: 'closed' });
    onClose();
  });

  return {
    request(pdu, timeoutMs, onLate) {
      if (isClosed || !socket.writable) return Promise.resolve({ type: 'not_written' });
      const sequence = lastSequence === MAX_SEQUENCE ? 1 : lastSequence + 1;
      const frame = encodePdu(pdu, sequence);
      lastSequence = sequence;
      return new Promise((resolve) => {
        function finish(result: RequestResult): void {
          clearTimeout(timer);
          pending.delete(sequence);
          resolve(result);
          if (pending.size > 0) return;
          for (const wake of waiters) wake();
          waiters.clear();
        }
        const timer = setTimeout(() => {
          if (onLate !== undefined) keepForLate(sequence, { pdu, onLate });
          finish({ type: 'no_response', reason: 'timeout' });
        }, timeoutMs);
        pending.set(sequence, { pdu, onLate, finish });
        socket.write(frame);
      });
    },

    respond: write,

    get bytesReceived() {
      return socket.bytesRead;
    },

    get isBehind() {
      return incoming.isBehind();
    },

    get excess() {
      return excess;
    },

    async idle(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
      await Promise.race([Promise.all([responded(), incoming.idle()]), time]);
      clearTimeout(timer);
    },

    end: () => socket.end(),

    destroy: () => socket.destroy(),
  };
}

function isResponseTo(request: PduContent, response: Pdu): boolean {
  return response.command === `${request.command}_resp` || response.command === 'generic_nack';
}
