import type { ErrorCode } from '@switchboard/contracts';
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

/** Creates the error of a request without a valid response. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError('unreachable', strings.serverUnreachable, {
    cause,
  });
}
