import { z } from 'zod';
import { knownPassword } from './password.ts';
import { textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

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
