import type { ErrorCode } from '@switchboard/core';

/** Maps every error code to its HTTP status; a new code does not compile until it is here. */
export const ERROR_STATUS = {
  missing_params: 400,
  invalid_params: 400,
  invalid_name: 400,
  provider_not_configured: 400,
  sender_not_configured: 400,
  recipient_opted_out: 400,
  idempotency_key_reused: 400,
  already_exists: 400,
  invalid_state: 400,
  unauthorized: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  rate_limited: 429,
  send_failed: 500,
  update_failed: 500,
  internal_error: 500,
  service_unavailable: 503,
} as const satisfies Record<ErrorCode, number>;
