import { ROLES } from '@switchboard/core';
import { z } from 'zod';
import { pageOf } from './page.ts';
import { email } from './text.ts';
import { timestamp } from './timestamp.ts';

export const role = z.enum(ROLES, 'must be owner, member or viewer');

export const addMemberRequest = z.object({ email: email(), role }).meta({ id: 'AddMemberRequest' });
export const changeRoleRequest = z.object({ role }).meta({ id: 'ChangeRoleRequest' });

export const member = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role,
    second_factor: z
      .boolean()
      .nullable()
      .describe('Whether the member has a second factor. Null unless you are an owner')
      .meta({ examples: [true] }),
    created_at: timestamp,
  })
  .meta({ id: 'Member' });

export const memberList = pageOf(member).meta({ id: 'MemberList' });

/** The token of an invitation. The invited person signs up with it or accepts it. Shown once. */
export const inviteToken = z
  .object({ invite_token: z.string(), expires_at: timestamp })
  .meta({ id: 'InviteToken' });

export const invite = z
  .object({
    id: z.uuid(),
    email: z.string(),
    role,
    invited_by: z.object({ id: z.uuid(), name: z.string() }),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'Invite' });

export const inviteList = pageOf(invite).meta({ id: 'InviteList' });

/** The membership that accepting an invitation creates. */
export const membership = z
  .object({ workspace_id: z.uuid(), user_id: z.uuid(), role, created_at: timestamp })
  .meta({ id: 'Membership' });

export type Member = z.infer<typeof member>;
export type InviteToken = z.infer<typeof inviteToken>;
export type Invite = z.infer<typeof invite>;
