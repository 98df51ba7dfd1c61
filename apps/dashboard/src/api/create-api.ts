import type { ErrorCode } from '@switchboard/contracts';
import type { SessionStore } from '../session/session-store.ts';
import { ApiError } from './api-error.ts';

const TIMEOUT_MS = 20_000;
/** What the service says to a token that has ended; a wrong password is a 401 too. */
const SESSION_ENDED = 'Invalid or missing session token';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Api = ReturnType<typeof createApi>;

/** The service's HTTP interface. A session that turns out to have ended is ended here too. */
export function createApi(session: Pick<SessionStore, 'read' | 'end'>) {
  /** An answer that is a success; anything else is thrown. */
  async function ask(
    method: Method,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const token = session.read();
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
    if (response.status === 401 && detail === SESSION_ENDED && session.read() === token) {
      session.end();
    }
    if (error === undefined) throw unreachable(response.status);
    throw new ApiError(error, detail ?? error);
  }

  async function call<Answer>(...request: Parameters<typeof ask>): Promise<Answer> {
    return (await readJson(await ask(...request))) as Answer;
  }

  return {
    getBlob: async (path: string) => (await ask('GET', path)).blob(),
    // Live events are added to what is read: it must not be older than they are.
    get: <Answer>(path: string) =>
      call<Answer>('GET', path, undefined, { 'cache-control': 'no-cache' }),
    post: <Answer>(path: string, body?: unknown, headers?: Record<string, string>) =>
      call<Answer>('POST', path, body, headers),
    put: <Answer>(path: string, body: unknown, headers?: Record<string, string>) =>
      call<Answer>('PUT', path, body, headers),
    patch: <Answer>(path: string, body: unknown) => call<Answer>('PATCH', path, body),
    delete: <Answer>(path: string) => call<Answer>('DELETE', path),
  };
}

/** Whatever stands in front of the service may answer too, in a format of its own. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch((error: unknown) => {
    throw unreachable(error);
  });
}

function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', 'The service can’t be reached. Check your connection.', {
    cause,
  });
}
