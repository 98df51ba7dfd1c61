import { type Route, describeSlowRead } from '@switchboard/contracts';
import { AppError, STATEMENT_TIMEOUT_MS } from '@switchboard/core';
import { isStatementTimeout } from '@switchboard/database';

/** A repeated read takes about as long, and slows the other requests down. */
const RETRY_AFTER_SECONDS = STATEMENT_TIMEOUT_MS / 1_000;

/** Returns the error to answer with if the read of a route took too long, and otherwise the given one. */
export function explainSlowRead(route: Route, error: unknown): unknown {
  const detail = describeSlowRead(route);
  if (detail === null || !isStatementTimeout(error)) return error;
  return new AppError('service_unavailable', detail, {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
