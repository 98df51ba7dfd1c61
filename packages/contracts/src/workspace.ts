import { AppError } from '@switchboard/core';
import { z } from 'zod';
import { role } from './member.ts';
import { pageOf } from './page.ts';
import { nameUpTo } from './text.ts';

export const WORKSPACE_NAME_MAX_CHARACTERS = 100;

export const workspaceName = nameUpTo(WORKSPACE_NAME_MAX_CHARACTERS);

export const workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.iso.datetime({ precision: 3 }),
  provider_configured: z.boolean(),
  default_number: z.string().nullable(),
});

/** As a member sees it in the list of theirs. */
export const memberWorkspace = workspace.extend({ role });

export const workspaceList = pageOf(memberWorkspace);

export type MemberWorkspace = z.infer<typeof memberWorkspace>;
export type Workspace = z.infer<typeof workspace>;

/** Anything wrong with the name, its absence included, is `invalid_name`. */
export function parseWorkspaceName(body: unknown): string {
  const name: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'name') : undefined;
  const result = workspaceName.safeParse(name);
  if (!result.success) {
    throw new AppError(
      'invalid_name',
      `\`name\` must be a text of 1 to ${WORKSPACE_NAME_MAX_CHARACTERS} characters`,
    );
  }
  return result.data;
}
