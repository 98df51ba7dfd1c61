import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEDIA_MAX_BYTES, QUOTAS } from '@switchboard/core';
import { type WorkspaceFixture, EVENTUALLY, numbersTo, sendEach } from '@switchboard/testing';
import { startS3Server } from '@switchboard/testing/s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertMediaFiles } from './fill-quotas.ts';
import { PNG, VCARD, createPicture } from './media-samples.ts';
import {
  type ApiResponse,
  type Service,
  ask,
  expectRefusal,
  startService,
} from './start-service.ts';
import { clientOf } from './workspace-client.ts';

const MEGABYTE = 1_048_576;

let folder: string;
let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-uploads-test-'));
  service = await startService({ env: { MEDIA_FOLDER: folder, MEDIA_LIMIT_WORKSPACE_MB: '12' } });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  workspace = await service.addWorkspace();
});

function upload(
  content: Uint8Array,
  {
    name = '',
    type = 'application/octet-stream',
    token = workspace.apiKey,
    url = service.url,
  } = {},
): Promise<ApiResponse> {
  const query = name === '' ? '' : `?name=${encodeURIComponent(name)}`;
  const raw = new Uint8Array(content);
  return ask(url, `/api/media${query}`, { token, raw, headers: { 'content-type': type } });
}

/**
 * Uploads a picture and this many megabytes without a content length. Returns the status and the
 * body.
 */
async function uploadInParts(megabytes: number, signal?: AbortSignal): Promise<[number, string]> {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent > megabytes) {
        if (signal === undefined) controller.close();
        return;
      }
      controller.enqueue(new Uint8Array(sent === 0 ? PNG : Buffer.alloc(MEGABYTE)));
      sent += 1;
    },
  });
  const response = await fetch(`${service.url}/api/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.apiKey}` },
    body,
    duplex: 'half',
    ...(signal !== undefined && { signal }),
  });
  return [response.status, await response.text()];
}

const byKey = (path: string, method = 'GET') =>
  ask(service.url, `/api${path}`, { token: workspace.apiKey, method });

const send = (media_urls: string[], token = workspace.apiKey, to = '+15557654321') =>
  ask(service.url, '/api/messages', { token, json: { to, body: '', media_urls } });

const refer = (response: ApiResponse): string => String(response.json?.['url']);

describe('uploads', () => {
  test('a file is stored with its name, and with the type and size of its content', async () => {
    const response = await upload(PNG, { name: 'Kätzchen 猫.html', type: 'text/html' });
    expect(response.status).toBe(201);
    const id = String(response.json?.['id']);
    expect(response.json).toEqual({
      id: expect.any(String),
      url: `media:${id}`,
      name: 'Kätzchen 猫.html',
      content_type: 'image/png',
      size: PNG.length,
      created_at: expect.any(String),
    });
    expect((await byKey(`/media/${id}`)).json).toEqual(response.json);
    expect(await readdir(join(folder, workspace.workspaceId))).toEqual([id]);
  });

  test('a file of exactly 5 MB is stored and returned completely, and a file with one byte more is refused', async () => {
    const picture = createPicture(MEDIA_MAX_BYTES);
    const stored = await upload(picture);
    expect(stored.status).toBe(201);
    const response = await fetch(
      `${service.url}/api/media/${String(stored.json?.['id'])}/content`,
      {
        headers: { authorization: `Bearer ${workspace.apiKey}` },
      },
    );
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
    const tooLarge = await upload(createPicture(MEDIA_MAX_BYTES + 1));
    expectRefusal(tooLarge, 400, 'invalid_params', 'larger than 5 MB');
  });

  test('a file without an announced size is refused after 5 MB, and nothing of it remains', async () => {
    expect(await uploadInParts(4)).toEqual([201, expect.stringContaining('image/png')]);
    expect(await uploadInParts(6)).toEqual([400, expect.stringContaining('larger than 5 MB')]);
    expect(await readdir(join(folder, 'receiving'))).toEqual([]);
    expect(await readdir(join(folder, workspace.workspaceId))).toHaveLength(1);
  });

  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'image/png'],
    ['an SVG picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['JSON', '{"to":"+15557654321"}', 'application/json'],
    ['a form', '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n', 'multipart/form-data'],
  ])(
    '%s is refused as an upload, whatever its name and type, and leaves no file',
    async (_what, text, type) => {
      const response = await upload(Buffer.from(text), { name: 'cat.png', type });
      expectRefusal(response, 400, 'invalid_params', 'must be a picture');
      await expect(readdir(join(folder, workspace.workspaceId))).rejects.toThrow('ENOENT');
      expect(await readdir(join(folder, 'receiving'))).toEqual([]);
    },
  );

  test('an empty upload and a name that is too long are refused', async () => {
    expectRefusal(await byKey('/media', 'POST'), 400, 'missing_params', 'must be the file');
    const response = await upload(PNG, { name: 'x'.repeat(256) });
    expectRefusal(response, 400, 'invalid_params', '`name`');
  });

  test('a workspace has a quota of bytes, which concurrent uploads together cannot exceed', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => upload(createPicture(4 * MEGABYTE))),
    );
    const stored = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    expect([stored.length, refused.length]).toEqual([3, 2]);
    for (const response of refused) expectRefusal(response, 403, 'quota_exceeded', '12 MB');
    const other = await service.addWorkspace();
    expect((await upload(PNG, { token: other.apiKey })).status).toBe(201);
  });

  test('a workspace cannot exceed its quota of uploaded files', async () => {
    await insertMediaFiles(service.sql, workspace.workspaceId, QUOTAS.mediaFilesPerWorkspace - 1);
    expect((await upload(PNG)).status).toBe(201);
    expectRefusal(await upload(PNG), 403, 'quota_exceeded', 'files per workspace');
  });

  test('an interrupted upload leaves no usable file, and the service continues', async () => {
    const readFile = () =>
      service.sql(
        'SELECT deleted_at IS NOT NULL AS gone, stored_at FROM media_files WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
    const aborted = new AbortController();
    const sending = uploadInParts(1, aborted.signal);
    await expect.poll(readFile, EVENTUALLY).toEqual([{ gone: false, stored_at: null }]);
    aborted.abort();
    await expect(sending).rejects.toThrow();
    await expect.poll(readFile, EVENTUALLY).toEqual([{ gone: true, stored_at: null }]);
    expect(await readdir(join(folder, 'receiving'))).toEqual([]);
    expect((await ask(service.url, '/health/live')).status).toBe(200);
  });
});

describe('uploaded files in messages', () => {
  test('a message names an uploaded file by its stable address, and the content can be read through the message', async () => {
    const file = await upload(PNG);
    const sent = await send([refer(file), 'https://example.com/cat.jpg']);
    expect(sent.status).toBe(201);
    const path = `/messages/${String(sent.json?.['id'])}`;
    expect((await byKey(path)).json?.['media']).toEqual([
      { url: refer(file), content_type: 'image/png' },
      { url: 'https://example.com/cat.jpg', content_type: null },
    ]);
    const session = clientOf(service, workspace, workspace.sessionToken);
    const content = await session(`${path}/media/0`);
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(content.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expectRefusal(await byKey(`${path}/media/1`), 404, 'not_found');
  });

  test('a document is served as a download and never shown', async () => {
    const file = await upload(VCARD);
    const response = await byKey(`/media/${String(file.json?.['id'])}/content`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  test('a message cannot use a file of another workspace, a deleted file or an unknown one', async () => {
    const other = await service.addWorkspace();
    const theirs = await upload(PNG, { token: other.apiKey });
    const deleted = await upload(PNG);
    expect((await byKey(`/media/${String(deleted.json?.['id'])}`, 'DELETE')).status).toBe(200);
    const mine = refer(await upload(PNG));
    for (const url of [refer(theirs), refer(deleted), `media:${workspace.workspaceId}`]) {
      const response = await send([mine, url]);
      expectRefusal(response, 400, 'invalid_params', 'media_urls\\[1\\]');
    }
    expectRefusal(await send(['media:x']), 400, 'invalid_params', 'media_urls');
    expect(await service.countRows('messages')).toBe(
      (
        await service.sql('SELECT 1 FROM messages WHERE workspace_id <> $1', [
          workspace.workspaceId,
        ])
      ).length,
    );
  });

  test('the uploaded files of a message may have at most 5 MB together', async () => {
    const large = refer(await upload(createPicture(3 * MEGABYTE)));
    const small = refer(await upload(createPicture(2 * MEGABYTE)));
    expect((await send([large, small])).status).toBe(201);
    expectRefusal(await send([large, large]), 400, 'invalid_params', 'at most 5 MB');
  });

  test('a file that a message uses cannot be deleted', async () => {
    const file = await upload(PNG);
    await send([refer(file)]);
    const response = await byKey(`/media/${String(file.json?.['id'])}`, 'DELETE');
    expectRefusal(response, 400, 'invalid_state', 'uses the file');
  });

  test('concurrent messages can use one file', async () => {
    const file = refer(await upload(PNG));
    await sendEach(numbersTo(30), (n) => send([file], workspace.apiKey, `+155576543${10 + n}`), {
      status: 201,
    });
  });
});

test('a HEAD request returns the headers of a file without its content', async () => {
  const { json } = await upload(PNG);
  const response = await byKey(`/media/${String(json?.['id'])}/content`, 'HEAD');
  expect([response.status, response.text]).toEqual([200, '']);
  expect(response.headers.get('content-length')).toBe(String(PNG.length));
  expect(response.headers.get('content-type')).toBe('image/png');
});

test('without file storage, an upload is refused, and the error says what the operator must do', async () => {
  const without = await startService();
  const own = await without.addWorkspace();
  const response = await upload(PNG, { token: own.apiKey, url: without.url });
  expectRefusal(response, 400, 'invalid_state', 'operator');
  await without.close();
});

test('with S3, files are stored in the bucket, and an unavailable S3 service causes a 503 that loses nothing', async () => {
  const s3 = await startS3Server();
  const withS3 = await startService({
    env: {
      MEDIA_S3_URL: s3.options.url,
      MEDIA_S3_REGION: s3.options.region,
      MEDIA_S3_ACCESS_KEY_ID: s3.options.accessKeyId,
      MEDIA_S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
      LOG_LEVEL: 'fatal',
    },
  });
  const { apiKey: token } = await withS3.addWorkspace();
  const stored = await upload(PNG, { token, url: withS3.url });
  expect([stored.status, s3.types.size]).toEqual([201, 1]);
  const path = `/api/media/${String(stored.json?.['id'])}/content`;
  expect((await ask(withS3.url, path, { token })).status).toBe(200);
  await s3.close();
  expectRefusal(await upload(PNG, { token, url: withS3.url }), 503, 'service_unavailable');
  expectRefusal(await ask(withS3.url, path, { token }), 503, 'service_unavailable');
  await withS3.close();
});
