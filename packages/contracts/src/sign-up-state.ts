import { z } from 'zod';

/** Who may make an account without an invitation. */
export const signUpState = z
  .object({
    sign_up: z
      .enum(['open', 'closed'])
      .describe('`closed`: an account takes an invitation to a workspace'),
  })
  .meta({ id: 'SignUpState' });

export type SignUpState = z.infer<typeof signUpState>;
