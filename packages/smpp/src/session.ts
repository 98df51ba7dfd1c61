import type { Socket } from 'node:net';
import { COMMAND_IDS } from './commands.ts';
import { decodePdu, type Decoded } from './decode-pdu.ts';
import { encodePdu } from './encode-pdu.ts';
import { createFrameReader } from './frame-reader.ts';
import type { Pdu, PduContent } from './pdu.ts';

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
  /** Closes our side of the connection: responses of the peer still arrive. */
  end(): void;
  /** Closes the connection immediately. Requests without a response get `no_response`. */
  destroy(): void;
}

interface SessionEvents {
  /** Called for each request of the peer, except enquire_link, which is answered here. */
  onRequest(pdu: Pdu): void;
  onClose(): void;
}

interface PendingRequest {
  pdu: PduContent;
  onLate: ((pdu: Pdu) => void) | undefined;
  finish(result: RequestResult): void;
}

const MAX_SEQUENCE = 0x7fffffff;
const RESPONSE = 0x80000000;
/** A peer that never responds must not fill the memory. */
const MAX_LATE = 1_000;

/** Exchanges PDUs over a connection, in both directions. */
export function createSession(socket: Socket, { onRequest, onClose }: SessionEvents): Session {
  const frames = createFrameReader();
  const pending = new Map<number, PendingRequest>();
  const late = new Map<number, Pick<PendingRequest, 'pdu' | 'onLate'>>();
  let lastSequence = 0;
  let isClosed = false;

  function write(pdu: PduContent, sequence: number): void {
    if (!isClosed && socket.writable) socket.write(encodePdu(pdu, sequence));
  }

  function receive(decoded: Decoded): void {
    const { sequence } = decoded.ok ? decoded.pdu : decoded;
    if (!decoded.ok) {
      const { commandId, status } = decoded;
      if (commandId < RESPONSE) write({ command: 'generic_nack', status }, sequence);
      return;
    }
    const { pdu } = decoded;
    if (pdu.command === 'enquire_link') {
      write({ command: 'enquire_link_resp', status: 0 }, sequence);
    } else if (COMMAND_IDS[pdu.command] >= RESPONSE) {
      receiveResponse(pdu);
    } else {
      onRequest(pdu);
    }
  }

  function receiveResponse(pdu: Pdu): void {
    const waiting = pending.get(pdu.sequence);
    if (waiting === undefined) {
      const expired = late.get(pdu.sequence);
      late.delete(pdu.sequence);
      if (expired !== undefined && isResponseTo(expired.pdu, pdu)) expired.onLate?.(pdu);
    } else if (isResponseTo(waiting.pdu, pdu)) {
      waiting.finish({ type: 'response', pdu });
    } else {
      // The two sides disagree on the sequence numbers, so no later response could be trusted.
      waiting.finish({ type: 'no_response', reason: 'mismatched' });
      socket.destroy();
    }
  }

  function keepForLate(sequence: number, expired: Pick<PendingRequest, 'pdu' | 'onLate'>): void {
    late.set(sequence, expired);
    const [oldest] = late.keys();
    if (late.size > MAX_LATE && oldest !== undefined) late.delete(oldest);
  }

  socket.on('data', (chunk: Buffer) => {
    const whole = frames.push(chunk);
    if (whole === null) socket.destroy();
    else for (const frame of whole) receive(decodePdu(frame));
  });
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

    end: () => socket.end(),

    destroy: () => socket.destroy(),
  };
}

function isResponseTo(request: PduContent, response: Pdu): boolean {
  return response.command === `${request.command}_resp` || response.command === 'generic_nack';
}
