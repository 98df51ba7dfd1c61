import { AppError } from '@switchboard/core';
import * as oidc from 'openid-client';
import type { SignOnErrorCode } from '@switchboard/contracts';

/** A sign-in at the identity provider failed. The browser receives the code; the log also the reason. */
export class SignOnError extends Error {
  override readonly name = 'SignOnError';
  readonly code: SignOnErrorCode;

  constructor(code: SignOnErrorCode, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.code = code;
  }
}

const ABSENT: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

/** Returns the error for what a request to the provider, or the check of its response, has thrown. */
export function toSignOnError(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    const code = error.error === 'access_denied' ? 'access_denied' : 'refused_by_provider';
    return new SignOnError(code, `the provider responded with ${error.error}`);
  }
  if (error instanceof oidc.ResponseBodyError) {
    // The code was used before or is too old; everything else is wrong in the settings.
    const code = error.error === 'invalid_grant' ? 'expired' : 'provider_misconfigured';
    return new SignOnError(code, `the provider refused the code with ${error.error}`);
  }
  if (error instanceof oidc.ClientError && error.code !== undefined) {
    return ABSENT.has(error.code) || isCutOff(error)
      ? new SignOnError('provider_unavailable', `${error.message} (${error.code})`)
      : new SignOnError('invalid_response', describe(error), { cause: error });
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    return new SignOnError(
      'provider_misconfigured',
      'the provider refused the client or its token',
    );
  }
  return new SignOnError('provider_unavailable', describe(error), { cause: error });
}

/** Returns the error for a request for the provider's metadata that has failed. */
export function toDiscoveryError(error: unknown, url: URL): SignOnError {
  if (!(error instanceof oidc.ClientError)) return toSignOnError(error);
  const { status } = (error.cause ?? {}) as { status?: number };
  if (error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && status !== undefined) {
    const isTemporary = status >= 500 || status === 429;
    return new SignOnError(
      isTemporary ? 'provider_unavailable' : 'provider_misconfigured',
      `${url.href} responds with ${status}`,
    );
  }
  return NOT_METADATA.has(error.code ?? '') && !isCutOff(error)
    ? new SignOnError('provider_misconfigured', `${url.href} does not respond with metadata`)
    : toSignOnError(error);
}

const NOT_METADATA: ReadonlySet<string> = new Set([
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
]);

/** Whether the response was too slow or too large. The library calls that a parsing error, as it does invalid JSON. */
function isCutOff(error: oidc.ClientError): boolean {
  let innermost: unknown = error;
  while (innermost instanceof Error && innermost.cause instanceof Error)
    innermost = innermost.cause;
  return error.code === 'OAUTH_PARSE_ERROR' && !(innermost instanceof SyntaxError);
}

/** The code for an error of our own, which has no reason that a user could change. */
export function codeOf(error: unknown): SignOnErrorCode {
  if (error instanceof SignOnError) return error.code;
  return error instanceof AppError && error.code === 'rate_limited'
    ? 'rate_limited'
    : 'internal_error';
}

/** Names the innermost reason, which is the only one that says what happened. */
function describe(error: unknown): string {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < 5; at = at.cause) {
    if (!reasons.includes(at.message)) reasons.push(at.message);
  }
  return reasons.join(': ');
}
