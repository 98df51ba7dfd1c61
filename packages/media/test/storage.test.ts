import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Server, startS3Server } from '@switchboard/testing/s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderStorage } from '../src/folder-storage.ts';
import type { MediaKey, MediaStorage } from '../src/media-storage.ts';
import { createS3Storage } from '../src/s3-storage.ts';

let folder: string;
let s3: S3Server;
const storages: Record<string, MediaStorage> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-media-test-'));
  s3 = await startS3Server();
  storages['a folder'] = createFolderStorage(folder);
  storages['S3'] = createS3Storage(s3.options);
});
afterAll(async () => {
  for (const storage of Object.values(storages)) await storage.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const workspaceId = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
let made = 0;
const newKey = (): MediaKey => {
  made += 1;
  return { workspaceId, mediaId: `01a1f7b3-89b6-7000-8000-${String(made).padStart(12, '0')}` };
};

async function store(storage: MediaStorage, key: MediaKey, content: Buffer): Promise<void> {
  const path = await storage.prepare(key);
  await writeFile(path, content);
  await storage.store(key, path, 'image/png');
}

async function read(storage: MediaStorage, key: MediaKey): Promise<Buffer | null> {
  const found = await storage.open(key);
  if (found === null) return null;
  const content = Buffer.concat((await found.body.toArray()) as Buffer[]);
  expect(found.size).toBe(content.length);
  return content;
}

describe.each(['a folder', 'S3'])('files in %s', (name) => {
  const storage = () => storages[name] as MediaStorage;

  test(`${name} returns the bytes of a stored file, even a large one`, async () => {
    const key = newKey();
    const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
    await store(storage(), key, content);
    expect((await read(storage(), key))?.equals(content)).toBe(true);
  });

  test(`${name} has no file before it is stored, nor after it is removed, even twice`, async () => {
    const key = newKey();
    expect(await read(storage(), key)).toBeNull();
    await store(storage(), key, Buffer.from('a picture'));
    expect(await read(storage(), key)).not.toBeNull();
    await storage().remove(key);
    await storage().remove(key);
    expect(await read(storage(), key)).toBeNull();
  });

  test(`${name} also removes the received part of a file that was not stored`, async () => {
    const key = newKey();
    const path = await storage().prepare(key);
    await writeFile(path, 'half a picture');
    await storage().remove(key);
    await expect(writeFile(path, '', { flag: 'r+' })).rejects.toThrow('ENOENT');
  });

  test(`${name} does not find the file of another workspace`, async () => {
    const key = newKey();
    await store(storage(), key, Buffer.from('a picture'));
    const other = { ...key, workspaceId: '01a1f7b3-89b6-7000-bd3d-000000000000' };
    expect(await read(storage(), other)).toBeNull();
  });
});

test('a folder contains only stored files, each under its workspace', async () => {
  const key = newKey();
  await store(storages['a folder'] as MediaStorage, key, Buffer.from('a picture'));
  expect(await readdir(join(folder, 'receiving'))).toEqual([]);
  expect(await readdir(join(folder, workspaceId))).toContain(key.mediaId);
});

test('an object of S3 has the content type of its file', async () => {
  const key = newKey();
  await store(storages['S3'] as MediaStorage, key, Buffer.from('a picture'));
  expect(s3.types.get(`/media/${key.workspaceId}/${key.mediaId}`)).toBe('image/png');
});

test('if an S3 service refuses the credentials, each call fails with its response', async () => {
  const storage = createS3Storage({ ...s3.options, secretAccessKey: 'wrong' });
  const key = newKey();
  const path = await storage.prepare(key);
  await writeFile(path, 'a picture');
  await expect(storage.store(key, path, 'image/png')).rejects.toThrow(
    /responded with 403 to PUT: .*SignatureDoesNotMatch/s,
  );
  await expect(storage.open(key)).rejects.toThrow('responded with 403 to GET');
  await expect(storage.remove(key)).rejects.toThrow('responded with 403 to DELETE');
  await storage.close();
});

test('if an S3 service does not respond, each call fails within the timeout', async () => {
  const storage = createS3Storage({ ...s3.options, url: s3.hangingUrl, timeoutMs: 500 });
  await expect(storage.open(newKey())).rejects.toThrow(/timeout/i);
  await storage.close();
});
