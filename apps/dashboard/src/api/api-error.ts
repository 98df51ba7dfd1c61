import type { ErrorCode } from '@switchboard/contracts';

/** A refusal in the service's own words, or the lack of any answer: `unreachable`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | 'unreachable';

  constructor(code: ErrorCode | 'unreachable', detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}
