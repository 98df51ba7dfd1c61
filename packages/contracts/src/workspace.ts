import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { role } from './member.ts';
import { pageOf } from './page.ts';
import { nameUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const WORKSPACE_NAME_MAX_CHARACTERS = 100;

export const INVALID_NAME = `\`name\` must be a string of 1 to ${WORKSPACE_NAME_MAX_CHARACTERS} characters`;

const workspaceName = nameUpTo(WORKSPACE_NAME_MAX_CHARACTERS);

export const nameWorkspaceRequest = z
  .object({ name: workspaceName })
  .meta({ id: 'NameWorkspaceRequest' });

const fields = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: timestamp,
  provider_configured: z.boolean(),
  default_number: z.string().nullable(),
});

export const workspace = fields.meta({ id: 'Workspace' });

/** A workspace in a user's list of workspaces. */
export const memberWorkspace = fields.extend({ role }).meta({ id: 'MemberWorkspace' });

export const workspaceList = pageOf(memberWorkspace).meta({ id: 'WorkspaceList' });

export type MemberWorkspace = z.infer<typeof memberWorkspace>;
export type Workspace = z.infer<typeof workspace>;

/**
 * Parses a request that names a workspace. Any error, including an absent name, is `invalid_name`.
 */
export function parseNameWorkspace(body: unknown): { name: string } {
  const name: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'name') : undefined;
  const result = workspaceName.safeParse(name);
  if (!result.success) throw new AppError('invalid_name', INVALID_NAME);
  return { name: result.data };
}
