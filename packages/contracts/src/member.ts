import { z } from 'zod';
import { pageOf } from './page.ts';
import { email } from './text.ts';
import { timestamp } from './timestamp.ts';

export const role = z.enum(['owner', 'member'], 'must be owner or member');

export const addMemberRequest = z.object({ email: email(), role }).meta({ id: 'AddMemberRequest' });
export const changeRoleRequest = z.object({ role }).meta({ id: 'ChangeRoleRequest' });

export const member = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role,
    created_at: timestamp,
  })
  .meta({ id: 'Member' });

export const memberList = pageOf(member).meta({ id: 'MemberList' });

/** For someone who is no user yet: to be handed to them, for their sign-up. Shown once. */
export const invite = z
  .object({ invite_token: z.string(), expires_at: timestamp })
  .meta({ id: 'Invite' });

export type Member = z.infer<typeof member>;
export type Invite = z.infer<typeof invite>;
