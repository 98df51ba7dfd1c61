import { type ProviderErrors } from './classify-send.ts';
import type { HttpOutcome, OriginClient } from './origin-client.ts';
import { type JsonObject, parseObject } from './parse-object.ts';

export interface JsonRequest {
  method: 'GET' | 'POST' | 'PATCH';
  /** Path and query. */
  path: string;
  authorization: string;
  body?: object;
}

/** Makes one JSON request within the adapter's timeout. Never rejects. */
export type JsonRequests = (request: JsonRequest, mayWrite?: () => boolean) => Promise<HttpOutcome>;

export function createJsonRequests(origin: OriginClient, timeoutMs: number): JsonRequests {
  return (request, mayWrite = () => true) => {
    const { method, path, authorization, body } = request;
    return origin.exchange(
      {
        method,
        path,
        headers: {
          accept: 'application/json',
          authorization,
          'user-agent': 'switchboard',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      },
      { timeoutMs, mayWrite },
    );
  };
}

/** The response to a request that changes no message. */
export type JsonResponse =
  | { kind: 'answered'; value: JsonObject }
  /** The provider refused the request. */
  | { kind: 'refused'; status: number; detail: string }
  /** No response, or one that is not the provider's: it proves nothing. */
  | { kind: 'unavailable'; detail: string };

/** Interprets the outcome of a request that changes no message. */
export function toJsonResponse(outcome: HttpOutcome, errors: ProviderErrors): JsonResponse {
  if (outcome.kind !== 'answered') return { kind: 'unavailable', detail: outcome.detail };
  const { status, body } = outcome;
  if (status >= 200 && status < 300) return { kind: 'answered', value: parseObject(body) };
  const { code, detail: words } = errors.readProblem(outcome);
  const detail = words ?? `${errors.name} responded with ${status}.`;
  const isRefused = status >= 400 && status < 500 && status !== 429 && code !== null;
  return isRefused ? { kind: 'refused', status, detail } : { kind: 'unavailable', detail };
}
