import type { Socket } from 'node:net';
import { openEventSocket } from './open-event-socket.ts';

/** Opens many WebSockets to one workspace and reports when each received a `message.created`. */
const [url = '', apiKey = '', count = '0'] = process.argv.slice(2);
const BATCH_SIZE = 100;

let arrivals: number[] = [];

function onFrame(frame: string): void {
  if (frame.includes('"message.created"'))
    arrivals.push(performance.timeOrigin + performance.now());
}

const sockets: Socket[] = [];
while (sockets.length < Number(count)) {
  const number = Math.min(BATCH_SIZE, Number(count) - sockets.length);
  const opening = Array.from({ length: number }, () => openEventSocket(url, apiKey, onFrame));
  sockets.push(...(await Promise.all(opening)));
}
process.on('message', () => {
  process.send?.(arrivals);
  arrivals = [];
});
process.on('disconnect', () => process.exit(0));
process.send?.('open');
