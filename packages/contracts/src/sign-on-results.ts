/** Why a sign-in at the identity provider failed. The dashboard has a text for each. */
export const SIGN_ON_ERRORS = [
  'not_configured',
  'provider_unavailable',
  'provider_misconfigured',
  'refused_by_provider',
  'access_denied',
  /** The sign-in took too long, was started in another browser or was finished before. */
  'expired',
  'invalid_response',
  'unverified_email',
  'unconfirmed_account',
  'sign_up_closed',
  /** The user is connected with another identity of the provider. */
  'other_identity',
  /** The identity is connected with another user. */
  'identity_in_use',
  /** The user has a second factor of their own, which a sign-in at the provider would not ask for. */
  'second_factor',
  'too_many_groups',
  'rate_limited',
  'internal_error',
] as const;

export type SignOnErrorCode = (typeof SIGN_ON_ERRORS)[number];

/** What the dashboard finds in the fragment of its address after a sign-in at the provider. */
export const SIGN_ON_RESULTS = { finish: 'finish', connected: 'connected' } as const;
