import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import type { MediaKey, MediaStorage } from './media-storage.ts';

export interface S3Options {
  /** The address of the bucket, in either form: `https://host/bucket` or `https://bucket.host`. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** Stores files as objects `<workspace>/<id>` in a bucket, which needs no public access. */
export function createS3Storage(options: S3Options): MediaStorage {
  const { url, region, accessKeyId, secretAccessKey, timeoutMs = TIMEOUT_MS } = options;
  const dispatcher = new Agent({
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  let received: Promise<string> | null = null;

  async function call(
    method: 'GET' | 'PUT' | 'DELETE',
    { workspaceId, mediaId }: MediaKey,
    { headers = {}, body = null }: Pick<Dispatcher.RequestOptions, 'body'> & S3Headers = {},
  ) {
    const signer = new AwsV4Signer({
      method,
      url: `${url}/${workspaceId}/${mediaId}`,
      // The file is not read twice for a checksum. A connection with TLS protects it.
      headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    });
    const signed = await signer.sign();
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body,
      dispatcher,
    });
  }

  async function getReceivedFolder(): Promise<string> {
    received ??= mkdtemp(join(tmpdir(), 'switchboard-media-'));
    return received;
  }

  return {
    async prepare({ mediaId }) {
      return join(await getReceivedFolder(), mediaId);
    },

    async store(key, path, contentType) {
      const { size } = await stat(path);
      const body = createReadStream(path);
      try {
        const headers = { 'content-type': contentType, 'content-length': String(size) };
        await finish('PUT', await call('PUT', key, { headers, body }));
      } finally {
        body.destroy();
        await rm(path, { force: true });
      }
    },

    async open(key) {
      const response = await call('GET', key);
      if (response.statusCode === 404) {
        await response.body.dump();
        return null;
      }
      if (response.statusCode !== 200) await finish('GET', response);
      return { size: Number(response.headers['content-length']), body: response.body };
    },

    async remove(key) {
      if (received !== null) await rm(join(await received, key.mediaId), { force: true });
      const response = await call('DELETE', key);
      if (response.statusCode === 404) await response.body.dump();
      else await finish('DELETE', response);
    },

    async close() {
      await dispatcher.close();
      if (received !== null) await rm(await received, { recursive: true, force: true });
    },
  };
}

interface S3Headers {
  headers?: Record<string, string>;
}

const ERROR_CHARACTERS = 300;

/** Reads the response to its end. Throws if it is not a success, with the beginning of its text. */
async function finish(
  method: string,
  { statusCode, body }: Dispatcher.ResponseData,
): Promise<void> {
  const text = await body.text();
  if (statusCode >= 200 && statusCode < 300) return;
  throw new Error(
    `the media storage responded with ${statusCode} to ${method}: ${text.slice(0, ERROR_CHARACTERS)}`,
  );
}
