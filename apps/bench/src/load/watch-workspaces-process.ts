import { openEventSocket } from './open-event-socket.ts';

/** Opens a WebSocket to each of many workspaces and reports the age of each event on arrival. */
const [url = '', apiKeys = '[]'] = process.argv.slice(2);
const OPENING_AT_ONCE = 100;

const ages: number[] = [];

function note(frame: string): void {
  const createdAt = /"created_at":"([^"]+)"/.exec(frame)?.[1];
  if (createdAt !== undefined) ages.push(Date.now() - Date.parse(createdAt));
}

const keys = JSON.parse(apiKeys) as string[];
for (let from = 0; from < keys.length; from += OPENING_AT_ONCE) {
  const some = keys.slice(from, from + OPENING_AT_ONCE);
  await Promise.all(some.map((key) => openEventSocket(url, key, note)));
}
process.on('message', () => process.send?.(ages));
process.on('disconnect', () => process.exit(0));
process.send?.('open');
