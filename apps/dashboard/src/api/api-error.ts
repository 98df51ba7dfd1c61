import { type ErrorCode, SLOW_READ } from '@switchboard/contracts';
import * as strings from '#strings/errors';

/** An error response of the API, or `unreachable` when there was no valid response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | 'unreachable';

  constructor(code: ErrorCode | 'unreachable', detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
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
