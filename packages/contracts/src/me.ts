import { z } from 'zod';
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
    sends_mail: z.boolean().describe('False if the service sends no mail to users'),
    workspaces: z.array(memberWorkspace.pick({ id: true, name: true, role: true })),
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
