import { Readable } from 'node:stream';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { exportMessages } from './export-messages.ts';

test('an export reads no further pages after its reader stops', async () => {
  const pages: (string | null)[] = [];
  const stored = {
    workspaceId: '',
    direction: 'outbound',
    to: '+15550000001',
    from: null,
    body: 'Hello',
    media: [],
    segments: 1,
    status: 'queued',
    providerSid: null,
    errorCode: null,
    errorDetail: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    scheduledAt: null,
    sentAt: null,
    deliveredAt: null,
    providerId: null,
    providerType: null,
    senderKind: null,
    senderId: null,
    senderName: null,
    repeatOf: null,
    reference: null,
    metadata: null,
    encoding: null,
  } as const;
  const table = exportMessages(
    async (_workspaceId, _filter, { after, size }) => {
      pages.push(after);
      return Array.from({ length: size }, (_, n) => ({
        ...stored,
        media: [],
        id: `${pages.length}-${n}`,
      }));
    },
    'workspace',
    {},
  );
  // A page has 100 messages, and a chunk 20.
  const stream = Readable.from(table, { objectMode: false });
  for (let chunk = 0; chunk < 9; chunk += 1)
    await once(stream, 'readable').then(() => stream.read());
  const before = pages.length;
  stream.destroy();
  await once(stream, 'close');
  expect(pages.length).toBe(before);
  expect(await table.next()).toEqual({ done: true, value: undefined });
  // Each page begins after the last message of the previous page.
  expect(pages.slice(0, 2)).toEqual([null, '1-99']);
});
