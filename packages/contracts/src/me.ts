import { z } from 'zod';
import { secondFactorState } from './second-factor.ts';
import { identity } from './single-sign-on.ts';
import { user } from './session.ts';
import { memberWorkspace } from './workspace.ts';

/** The signed-in user and the user's workspaces. */
export const me = z
  .object({
    user,
    email_confirmed: z
      .boolean()
      .describe('True if a link that was mailed to the address of the user was used'),
    pending_email: z
      .string()
      .nullable()
      .describe('The address that replaces `email` when it is confirmed')
      .meta({ examples: [null] }),
    has_password: z.boolean().describe('False if you sign in by single sign-on only'),
    identity: identity
      .nullable()
      .describe('Your user at the identity provider; null if none is connected'),
    sends_mail: z.boolean().describe('False if the service sends no mail to users'),
    second_factor: secondFactorState
      .nullable()
      .describe('Null if the password alone is enough to sign in'),
    workspaces: z.array(
      memberWorkspace.pick({ id: true, name: true, role: true }).extend({
        needs_second_factor: z
          .boolean()
          .describe('True if the workspace is closed to you until you set up a second factor'),
      }),
    ),
    carrier_simulated: z
      .boolean()
      .describe('True if a carrier simulator replaces the provider: messages do not reach phones'),
    phone_url: z
      .url()
      .nullable()
      .describe('The page with the phones of the carrier simulator; null without a simulator'),
  })
  .meta({ id: 'Me' });

export type Me = z.infer<typeof me>;
