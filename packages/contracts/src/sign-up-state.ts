import { z } from 'zod';

/** Whether a person without an invitation may create a user. */
export const signUpState = z
  .object({
    sign_up: z
      .enum(['open', 'closed'])
      .describe('`closed`: signing up requires an invitation to a workspace'),
    passwords: z.boolean().describe('False if passwords are switched off (`OIDC_ONLY`)'),
    single_sign_on: z
      .object({ name: z.string().describe('Completes “Sign in with …”') })
      .nullable()
      .describe('Null if single sign-on is not set up'),
    sends_mail: z
      .boolean()
      .describe('False if the service sends no mail: then an operator resets passwords'),
  })
  .meta({ id: 'SignUpState' });
