import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Calls `onFrame` with every frame of a workspace as text, because parsing would use CPU time. */
export async function watchFrames(options: {
  apiUrl: string;
  apiKey: string;
  onFrame(frame: string): void;
}): Promise<{ close(): void }> {
  const url = new URL('/api/events', options.apiUrl.replace(/^http/, 'ws'));
  // The frames are ASCII, and skipping the validation leaves more CPU time to the service.
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${options.apiKey}` },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  socket.on('message', (data: Buffer) => options.onFrame(data.toString('latin1')));
  // After the first frame, no event is missed.
  await once(socket, 'message');
  return { close: () => socket.terminate() };
}
