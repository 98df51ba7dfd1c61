import { openEventSocket } from './open-event-socket.ts';
import { readPlan } from './program.ts';

/** When a frame of a new message arrived and when the message was created, as `Date.now()`. */
export interface Arrival {
  at: number;
  createdAt: number;
}

/** Opens WebSockets with the API keys in turn, reports when all are open, and the arrivals at each message. */
const { url, apiKeys, count } = readPlan() as { url: string; apiKeys: string[]; count: number };
const BATCH_SIZE = 100;

let arrivals: Arrival[] = [];

function onFrame(frame: string): void {
  if (!frame.includes('"message.created"')) return;
  const createdAt = Date.parse(/"created_at":"([^"]+)"/.exec(frame)?.[1] ?? '');
  arrivals.push({ at: performance.timeOrigin + performance.now(), createdAt });
}

for (let opened = 0; opened < count; opened += BATCH_SIZE) {
  const batch = Array.from({ length: Math.min(BATCH_SIZE, count - opened) }, (_, index) =>
    openEventSocket(url, apiKeys[(opened + index) % apiKeys.length] ?? '', onFrame),
  );
  await Promise.all(batch);
}
process.on('message', () => {
  process.send?.(arrivals);
  arrivals = [];
});
process.send?.('open');
