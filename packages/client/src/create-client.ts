import type { FileBody } from './contract.ts';
import type { ResponseOf, ErrorCode, RequestOptions, Result, RouteKey } from './route-types.ts';

export interface ClientOptions {
  /** The address of the service, without a slash at the end. */
  baseUrl: string;
  /** An API key or a session token. Public routes need none. */
  token?: string;
  fetch?: typeof fetch;
}

/** The options of a route, which are optional if none of them is required. */
export type Arguments<Key extends RouteKey> =
  object extends RequestOptions<Key>
    ? [options?: RequestOptions<Key>]
    : [options: RequestOptions<Key>];

/** Calls a route, for example `await client('POST /api/messages', { body: { to, body } })`. */
export type Client = <Key extends RouteKey>(
  route: Key,
  ...rest: Arguments<Key>
) => Promise<Result<Key>>;

interface AnyOptions {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | Date | readonly string[] | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Creates a function that calls any route, with the types of the documented routes. */
export function createClient({ baseUrl, token, fetch: send = fetch }: ClientOptions): Client {
  return async function request<Key extends RouteKey>(
    route: Key,
    ...[options = {}]: [options?: AnyOptions]
  ): Promise<Result<Key>> {
    const [method = '', path = ''] = route.split(' ');
    const { params = {}, query = {}, body, signal } = options;
    const headers = new Headers(options.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', isFile(body) ? 'application/octet-stream' : 'application/json');
    }

    const response = await send(baseUrl + fillIn(path, params) + toQuery(query), {
      method,
      headers,
      ...(body !== undefined && { body: isFile(body) ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const common = { status: response.status, headers: response.headers };
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (!response.ok) {
      if (!isJson) throw new Error(`HTTP ${response.status} with a body that is not JSON`);
      const refusal = (await response.json()) as { error: ErrorCode; detail: string };
      return { ok: false, ...common, ...refusal };
    }
    const data = (isJson ? await response.json() : response) as ResponseOf<Key>;
    return { ok: true, ...common, data };
  };
}

function isFile(body: unknown): body is FileBody {
  return body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array;
}

function fillIn(path: string, params: Record<string, string | number>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
}

function toQuery(query: NonNullable<AnyOptions['query']>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    given.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}
