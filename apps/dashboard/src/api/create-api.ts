import type { ErrorCode } from '@switchboard/contracts';
import type { SessionStore } from '../session/session-store.ts';
import { ApiError } from './api-error.ts';

const TIMEOUT_MS = 20_000;
/** The only request that a session does not open: its `unauthorized` means a wrong password. */
const LOG_IN = 'POST /api/ui/sessions';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Api = ReturnType<typeof createApi>;

/** Creates the HTTP client. It ends the local session when the server has ended it. */
export function createApi(session: Pick<SessionStore, 'read' | 'end'>) {
  /** Returns a 2xx response and throws an `ApiError` for everything else. */
  async function send(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const token = `${method} ${path}` === LOG_IN ? null : session.read();
    const response = await fetch(path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (response.ok) return response;

    const { error, detail } = (await readJson(response)) as { error?: ErrorCode; detail?: string };
    const isSessionOver = error === 'unauthorized' && token !== null;
    // Another session may have begun in the meantime.
    if (isSessionOver && session.read() === token) session.end();
    if (error === undefined) throw unreachable(response.status);
    throw new ApiError(error, detail ?? error);
  }

  async function call<Body>(...args: Parameters<typeof send>): Promise<Body> {
    return (await readJson(await send(...args))) as Body;
  }

  return {
    getBlob: async (path: string) => (await send('GET', path)).blob(),
    // Live events are merged into the response, so it must not come from an older cache.
    get: <Body>(path: string) =>
      call<Body>('GET', path, undefined, { 'cache-control': 'no-cache' }),
    post: <Body>(path: string, body?: unknown, headers?: Record<string, string>) =>
      call<Body>('POST', path, body, headers),
    put: <Body>(path: string, body: unknown, headers?: Record<string, string>) =>
      call<Body>('PUT', path, body, headers),
    patch: <Body>(path: string, body: unknown) => call<Body>('PATCH', path, body),
    delete: <Body>(path: string) => call<Body>('DELETE', path),
  };
}

/** A proxy in front of the server may send a response that is not JSON. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw unreachable(error);
  });
}

function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', 'The server can’t be reached. Check your connection.', {
    cause,
  });
}
