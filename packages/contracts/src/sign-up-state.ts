import { z } from 'zod';

/** Whether a person without an invitation may create a user. */
export const signUpState = z
  .object({
    sign_up: z
      .enum(['open', 'closed'])
      .describe('`closed`: signing up requires an invitation to a workspace'),
    sends_mail: z
      .boolean()
      .describe('False if the service sends no mail: then an operator resets passwords'),
  })
  .meta({ id: 'SignUpState' });
