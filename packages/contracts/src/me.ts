import { z } from 'zod';
import { user } from './session.ts';
import { memberWorkspace } from './workspace.ts';

/** Who is signed in, and where they may go. */
export const me = z
  .object({
    user,
    workspaces: z.array(memberWorkspace.pick({ id: true, name: true, role: true })),
    carrier_simulated: z
      .boolean()
      .describe(
        'True while a carrier simulator stands in for the provider: nothing is really sent',
      ),
  })
  .meta({ id: 'Me' });

export type Me = z.infer<typeof me>;
