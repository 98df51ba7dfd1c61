import { openEventSocket } from './open-event-socket.ts';

/** Opens a WebSocket to each of many workspaces and reports the age of each event on arrival. */
const [url = '', apiKeys = '[]'] = process.argv.slice(2);
const BATCH_SIZE = 100;

const ages: number[] = [];

function onFrame(frame: string): void {
  const createdAt = /"created_at":"([^"]+)"/.exec(frame)?.[1];
  if (createdAt !== undefined) ages.push(Date.now() - Date.parse(createdAt));
}

const keys = JSON.parse(apiKeys) as string[];
for (let from = 0; from < keys.length; from += BATCH_SIZE) {
  const batch = keys.slice(from, from + BATCH_SIZE);
  await Promise.all(batch.map((key) => openEventSocket(url, key, onFrame)));
}
process.on('message', () => process.send?.(ages));
process.on('disconnect', () => process.exit(0));
process.send?.('open');
