import { z } from 'zod';
import { user } from './session.ts';
import { memberWorkspace } from './workspace.ts';

/** The signed-in user and the user's workspaces. */
export const me = z
  .object({
    user,
    workspaces: z.array(memberWorkspace.pick({ id: true, name: true, role: true })),
    carrier_simulated: z
      .boolean()
      .describe('True if a carrier simulator replaces the provider: messages do not reach phones'),
  })
  .meta({ id: 'Me' });

export type Me = z.infer<typeof me>;
