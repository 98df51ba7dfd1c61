import { Agent, request } from 'undici';
import { EVENTUALLY } from './eventually.ts';

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The API key or the session token. */
  token?: string;
  headers?: Record<string, string>;
  /** `URLSearchParams` are sent as a form, other objects as JSON. */
  body?: object;
  /** Replaces the client's timeout. */
  timeoutMs?: number;
}

/** The HTTP client of a run. */
export interface Http {
  /** Rejects if no complete response arrives in time. */
  send(url: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Returns the text of a successful response. Throws an error with the text of any other. */
  callText(url: string, request?: HttpRequest): Promise<string>;
  /** Returns the JSON of a successful response. Throws an error with the text of any other. */
  call<Body>(url: string, request?: HttpRequest): Promise<Body>;
  close(): Promise<void>;
}

const CONNECTIONS_PER_HOST = 256;

/** @param clientTimeoutMs the timeout of requests without their own; null for none */
export function createHttp(clientTimeoutMs: number | null = EVENTUALLY.timeout): Http {
  const agent = new Agent({ connections: CONNECTIONS_PER_HOST, headersTimeout: 0, bodyTimeout: 0 });

  async function send(url: string, options: HttpRequest = {}): Promise<HttpResponse> {
    const { method = 'GET', token, body, headers, timeoutMs = clientTimeoutMs } = options;
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await request(url, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body.toString() : JSON.stringify(body) }),
      dispatcher: agent,
      ...(timeoutMs !== null && { signal: AbortSignal.timeout(timeoutMs) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text };
  }

  async function callText(url: string, options: HttpRequest = {}): Promise<string> {
    const { status, text } = await send(url, options);
    if (status < 300) return text;
    throw new Error(`${options.method ?? 'GET'} ${url}: the response was ${status} ${text}`);
  }

  return {
    send,
    callText,
    call: async <Body>(url: string, options?: HttpRequest) =>
      JSON.parse(await callText(url, options)) as Body,
    close: () => agent.destroy(),
  };
}
