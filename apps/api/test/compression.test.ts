import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { WorkspaceFixture } from '@switchboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, shareService } from './start-service.ts';

let service: Service;
let workspace: WorkspaceFixture;

beforeAll(async () => {
  service = await shareService();
  workspace = await service.addWorkspace();
  await service.sql(
    `INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
       created_at, updated_at, dispatch)
     SELECT uuid_v7(at), $1, 'outbound', '+15550000001', '+15550000002', 'Text ' || n, 1, 'delivered',
       at, at, 'accepted'
     FROM generate_series(1, 100) n, LATERAL (SELECT now() - n * interval '1 second' AS at) t`,
    [workspace.workspaceId],
  );
});
afterAll(() => service.close());

interface RawResponse {
  encoding: string | undefined;
  vary: string | undefined;
  body: Buffer;
}

/** Returns the raw response. `fetch` would decompress it. */
function get(path: string, acceptEncoding?: string, method = 'GET'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${workspace.apiKey}`,
      ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
    };
    request(service.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { 'content-encoding': encoding, vary } = response.headers;
        resolve({ encoding, vary, body: Buffer.concat(chunks) });
      });
    })
      .on('error', reject)
      .end();
  });
}

const PAGE = '/api/messages?limit=100';

test('a long JSON response is compressed to less than a fifth of its size without loss', async () => {
  const plain = await get(PAGE);
  const packed = await get(PAGE, 'br;q=1.0, gzip;q=0.8');
  expect([plain.encoding, packed.encoding]).toEqual([undefined, 'gzip']);
  expect([plain.vary, packed.vary]).toEqual(['accept-encoding', 'accept-encoding']);
  expect(packed.body.length).toBeLessThan(plain.body.length / 5);
  expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
});

test.each(['identity', 'br', 'gzip;q=0', '*;q=0', ''])(
  'a client that accepts %j receives the response uncompressed',
  async (acceptEncoding) => {
    const { encoding, body } = await get(PAGE, acceptEncoding);
    expect(encoding).toBeUndefined();
    expect(JSON.parse(body.toString())).toMatchObject({ pagination: { totalMessages: 100 } });
  },
);

test('responses that are short, empty or not JSON are not compressed', async () => {
  const responses = await Promise.all([
    get('/api/messages?limit=1', 'gzip'),
    get('/metrics', 'gzip'),
    get(PAGE, 'gzip', 'HEAD'),
  ]);
  expect(responses.map(({ encoding }) => encoding)).toEqual([undefined, undefined, undefined]);
});
