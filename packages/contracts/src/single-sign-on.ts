import { z } from 'zod';
import { knownPassword } from './password.ts';
import { textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

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
  'too_many_groups',
  'rate_limited',
  'internal_error',
] as const;

export type SignOnErrorCode = (typeof SIGN_ON_ERRORS)[number];

/** What the dashboard finds in the fragment of its address after a sign-in at the provider. */
export const SIGN_ON_RESULTS = { finish: 'finish', connected: 'connected' } as const;

export const connectIdentityRequest = z
  .object({
    password: knownPassword().describe('The current password'),
    return_to: textUpTo(1_000).optional().describe('The path in the dashboard to return to'),
  })
  .meta({ id: 'ConnectIdentityRequest' });

export const disconnectIdentityRequest = z
  .object({ password: knownPassword().describe('The current password') })
  .meta({ id: 'DisconnectIdentityRequest' });

export const connectIdentityResponse = z
  .object({ url: z.url().describe('Where the browser signs in at the provider') })
  .meta({ id: 'ConnectIdentityAnswer' });

/** The user at the identity provider. */
export const identity = z
  .object({
    email: z.string().nullable().describe('The address at the provider at the latest sign-in'),
    connected_at: timestamp,
  })
  .meta({ id: 'Identity' });
