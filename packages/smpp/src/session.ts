import type { Socket } from 'node:net';
import { COMMAND_IDS } from './commands.ts';
import { decodePdu, type Decoded } from './decode-pdu.ts';
import { encodePdu } from './encode-pdu.ts';
import { createFrameReader } from './frame-reader.ts';
import type { Pdu, PduContent } from './pdu.ts';

/** What became of a request. */
export type RequestResult =
  | { type: 'response'; pdu: Pdu }
  /** The connection was closed before the request was written: the peer does not have it. */
  | { type: 'not_written' }
  /** The connection ended, or the time ran out, before the response: the peer may have it. */
  | { type: 'no_response'; reason: 'closed' | 'timeout' };

export interface Session {
  /** Writes a request. The result never rejects. */
  request(pdu: PduContent, timeoutMs: number): Promise<RequestResult>;
  /** Writes a response to a request of the peer. */
  respond(pdu: PduContent, sequence: number): void;
  /** Closes the connection immediately. Requests without a response get `no_response`. */
  destroy(): void;
}

interface SessionEvents {
  /** Called for each request of the peer, except enquire_link, which is answered here. */
  onRequest(pdu: Pdu): void;
  onClose(): void;
}

const MAX_SEQUENCE = 0x7fffffff;
const RESPONSE = 0x80000000;

/** Exchanges PDUs over a connection, in both directions. */
export function createSession(socket: Socket, { onRequest, onClose }: SessionEvents): Session {
  const frames = createFrameReader();
  const pending = new Map<number, (result: RequestResult) => void>();
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
      pending.get(sequence)?.({ type: 'response', pdu });
    } else {
      onRequest(pdu);
    }
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
    for (const resolve of pending.values()) resolve({ type: 'no_response', reason: 'closed' });
    onClose();
  });

  return {
    request(pdu, timeoutMs) {
      if (isClosed || !socket.writable) return Promise.resolve({ type: 'not_written' });
      lastSequence = lastSequence === MAX_SEQUENCE ? 1 : lastSequence + 1;
      const sequence = lastSequence;
      return new Promise((resolve) => {
        const timer = setTimeout(finish, timeoutMs, { type: 'no_response', reason: 'timeout' });
        function finish(result: RequestResult): void {
          clearTimeout(timer);
          pending.delete(sequence);
          resolve(result);
        }
        pending.set(sequence, finish);
        write(pdu, sequence);
      });
    },

    respond: write,

    destroy: () => socket.destroy(),
  };
}
