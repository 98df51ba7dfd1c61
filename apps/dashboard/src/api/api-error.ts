import { type ErrorCode, SLOW_READ } from '@switchboard/contracts';
import * as strings from '#strings/errors';

/** An error response of the API, or `unreachable` when there was no valid response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | 'unreachable';
  /** How long the server asks to wait, or null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode | 'unreachable', detail: string, options: ApiErrorOptions = {}) {
    super(detail, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

interface ApiErrorOptions extends ErrorOptions {
  retryAfterMs?: number | null;
}

/** Reads `Retry-After`, which has seconds or a date (RFC 9110). */
export function readRetryAfter(headers: Headers, now = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The server responds, but this page can't load the code of a view. */
export class CodeReplacedError extends Error {
  override readonly name = 'CodeReplacedError';
}

/** Creates the error of a request without a valid response. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', strings.serverUnreachable, {
    cause,
  });
}

/** Returns whether a read took longer than the server allows. */
export function isSlowRead(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.code === 'service_unavailable' &&
    error.message.startsWith(SLOW_READ)
  );
}

/**
 * Returns whether a repeated read may succeed. Repeating a refused request is useless, and a slow read
 * would take as long again; an unreachable server may respond in a moment.
 */
export function isWorthRepeating(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'unreachable' || error.code === 'service_unavailable') &&
    !isSlowRead(error)
  );
}
