/**
 * The closed set of error codes that a client can receive. The HTTP status of each is mapped in one
 * place (`apps/api/src/http/error-status.ts`), which does not compile until a new code is mapped.
 */
export type ErrorCode =
  | 'missing_params'
  | 'invalid_params'
  | 'invalid_name'
  | 'provider_not_configured'
  | 'sender_not_configured'
  | 'recipient_opted_out'
  | 'idempotency_key_reused'
  | 'already_exists'
  | 'invalid_state'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'send_failed'
  | 'update_failed'
  | 'internal_error'
  | 'service_unavailable';

export interface AppErrorOptions {
  cause?: unknown;
  /** Set if a retry makes sense. Sent as the `Retry-After` header. */
  retryAfterSeconds?: number;
}

/** A failure that is reported to the client. `message` is the `detail` of the response. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
