import { z } from 'zod';
import { parseBody } from './parse-request.ts';
import { knownPassword } from './password.ts';
import { textUpTo } from './text.ts';

const CODE_MAX_CHARACTERS = 64;

export const closeAccountRequest = z
  .object({
    password: knownPassword()
      .optional()
      .describe('The current password. Required of users who have one'),
    code: textUpTo(CODE_MAX_CHARACTERS)
      .optional()
      .describe(
        'The code of the authenticator app, or a recovery code. Required of users who have a second factor',
      )
      .meta({ examples: ['123456'] }),
  })
  .meta({ id: 'CloseAccountRequest' });

/** The body may be absent. */
export function parseCloseAccount(body: unknown) {
  return parseBody(closeAccountRequest, body ?? {});
}

export const CLOSE_ACCOUNT_DETAILS = {
  missingPassword: 'Missing required parameter: `password`',
  missingCode: 'Missing required parameter: `code`, because you have a second factor',
  wrongPassword: '`password` must be the current password',
  signInAgain:
    'Insufficient permissions for the resource: sign in again first. The sign-in must be within the last 10 minutes',
  onlyOwner:
    'You are the only owner of workspaces that have other members. Make another member an owner, or close the workspaces',
};

/** For a session that does not show all workspaces of the account. */
export const CLOSE_ACCOUNT_HIDDEN =
  'Insufficient permissions for the resource: a group of single sign-on made you a member of workspaces, so sign in with single sign-on first';

/** Names the workspaces that need another owner first. */
export const describeOnlyOwner = (names: readonly string[]): string =>
  `You are the only owner of these workspaces, which have other members: ${names.join(', ')}. Make another member an owner, or close the workspaces`;
