import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { EventFrame } from '@switchboard/contracts';
import type { WebSocket } from 'ws';

/** A WebSocket client that keeps the frames that it receives. */
export interface EventClient {
  socket: WebSocket;
  frames: EventFrame[];
  opened: Promise<IncomingMessage>;
  /** The close code. */
  closed: Promise<number>;
  /** Resolves with all frames when at least `count` have been received. */
  receive(count: number): Promise<EventFrame[]>;
  /** The error response to the upgrade. */
  refused(): Promise<{ status: number; headers: IncomingMessage['headers']; body: unknown }>;
}

export function createEventClient(socket: WebSocket): EventClient {
  const frames: EventFrame[] = [];
  socket.on('message', (data: Buffer) => {
    frames.push(JSON.parse(data.toString('utf8')) as EventFrame);
    socket.emit('frame');
  });
  // Errors show up in the promises that the tests await.
  socket.on('error', () => undefined);
  const opened = new Promise<IncomingMessage>((resolve) => {
    socket.once('upgrade', resolve);
  });
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve);
  });
  return {
    socket,
    frames,
    opened,
    closed,
    async receive(count) {
      const signal = AbortSignal.timeout(60_000);
      try {
        while (frames.length < count) await once(socket, 'frame', { signal });
      } catch (cause) {
        throw new Error(`received ${frames.length} of ${count} frames`, { cause });
      }
      return frames;
    },
    async refused() {
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        IncomingMessage,
      ];
      let text = '';
      for await (const part of response) text += String(part);
      const status = response.statusCode ?? 0;
      return { status, headers: response.headers, body: JSON.parse(text) as unknown };
    },
  };
}
