import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Calls `onFrame` with every frame of a workspace, as text: parsing it all would cost the machine. */
export async function watchFrames(options: {
  apiUrl: string;
  apiKey: string;
  onFrame(frame: string): void;
}): Promise<{ close(): void }> {
  const url = new URL('/api/events', options.apiUrl.replace(/^http/, 'ws'));
  // All of it is ASCII, and what watching costs is taken from what is measured.
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${options.apiKey}` },
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  socket.on('message', (data: Buffer) => options.onFrame(data.toString('latin1')));
  // The first frame says that nothing is missed from here on.
  await once(socket, 'message');
  return { close: () => socket.terminate() };
}
