import {
  type ResponseOf,
  type Arguments,
  type RequestOptions,
  type RouteKey,
  createClient,
} from '@switchboard/client';
import type { MediaFile } from '@switchboard/contracts';
import * as strings from '#strings/errors';
import { BASE_PATH } from '../base-path.ts';
import type { SessionStore } from '../session/session-store.ts';
import { ApiError, readRetryAfter, unreachable } from './api-error.ts';
import { type UploadOptions, uploadFile } from './upload-file.ts';

const TIMEOUT_MS = 20_000;
/** The requests that are made without a session: their `unauthorized` does not concern the present one. */
const LOG_IN: readonly RouteKey[] = ['POST /api/ui/sessions', 'POST /api/ui/oidc/sessions'];

/** The routes that answer with JSON. */
type JsonRoute = { [Key in RouteKey]: ResponseOf<Key> extends Response ? never : Key }[RouteKey];
type FileRoute = Exclude<RouteKey, JsonRoute>;

export interface Api {
  /** Calls a route and returns its response. Throws an `ApiError` if there is none. */
  request<Key extends JsonRoute>(route: Key, ...options: Arguments<Key>): Promise<ResponseOf<Key>>;
  /** Downloads a file of any size: only the start of the response has a timeout. */
  download<Key extends FileRoute>(
    route: Key,
    options: RequestOptions<Key>,
    transfer?: Transfer,
  ): Promise<Blob>;
  /** Uploads a file to send it with a message. */
  upload(workspaceId: string, file: File, options: UploadOptions): Promise<MediaFile>;
}

export interface Transfer {
  /** Ends the download, which then throws the reason of the signal. */
  signal?: AbortSignal;
  /** Called with the number of bytes so far. */
  onProgress?(bytes: number): void;
}

/** Creates the HTTP client. It ends the local session when the server has ended it. */
export function createApi(session: Pick<SessionStore, 'read' | 'end'>): Api {
  async function send<Key extends RouteKey>(
    route: Key,
    signal: AbortSignal,
    ...[options]: Arguments<Key>
  ): Promise<ResponseOf<Key>> {
    const token = LOG_IN.includes(route) ? null : session.read();
    const last: { response?: Response } = {};
    const client = createClient({
      baseUrl: BASE_PATH,
      ...(token !== null && { token }),
      fetch: async (...request) => {
        last.response = await fetch(...request);
        return last.response;
      },
    });
    const headers = {
      // Live events are merged into the response, so it must not come from an older cache.
      ...(route.startsWith('GET ') && { 'cache-control': 'no-cache' }),
      ...options?.headers,
    };
    const all = [{ ...options, headers, signal }] as unknown as Arguments<Key>;
    const result = await client(route, ...all).catch((error: unknown) => {
      // A proxy in front of the server limits requests too, and responds in words of its own.
      if (last.response?.status === 429) throw rateLimited(last.response.headers);
      throw unreachable(error);
    });
    if (result.ok) return result.data;

    endIfOver(result.error, token);
    const retryAfterMs = readRetryAfter(result.headers);
    throw new ApiError(result.error, result.detail, { retryAfterMs });
  }

  function endIfOver(error: ApiError['code'], token: string | null): void {
    const isSessionOver = error === 'unauthorized' && token !== null;
    // Another session may have begun in the meantime.
    if (isSessionOver && session.read() === token) session.end();
  }

  return {
    async request(route, ...options) {
      const data = await send(route, AbortSignal.timeout(TIMEOUT_MS), ...options);
      // A proxy in front of the server may send a response that is not JSON.
      if (data instanceof Response) throw unreachable(data.status);
      return data;
    },
    async download(route, options, { signal, onProgress } = {}) {
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
      signal?.addEventListener('abort', () => stop.abort());
      try {
        const all = [options] as unknown as Arguments<typeof route>;
        const file = (await send(route, stop.signal, ...all)) as Response;
        clearTimeout(timer);
        return await countBytes(file, onProgress).blob();
      } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof ApiError ? error : unreachable(error);
      } finally {
        clearTimeout(timer);
      }
    },
    async upload(workspaceId, file, options) {
      const token = session.read();
      const query = new URLSearchParams({ name: file.name }).toString();
      const path = `${BASE_PATH}/api/ui/workspaces/${encodeURIComponent(workspaceId)}/media?${query}`;
      try {
        return await uploadFile(path, token, file, options);
      } catch (error) {
        if (error instanceof ApiError) endIfOver(error.code, token);
        throw error;
      }
    },
  };
}

const rateLimited = (headers: Headers): ApiError =>
  new ApiError('rate_limited', strings.tooManyRequests, { retryAfterMs: readRetryAfter(headers) });

/** Reports the bytes of a response while it is read. */
function countBytes(response: Response, onProgress: Transfer['onProgress']): Response {
  if (response.body === null || onProgress === undefined) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { headers: response.headers });
}
