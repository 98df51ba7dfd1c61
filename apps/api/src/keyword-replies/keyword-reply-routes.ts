import { DETAILS, type KeywordReplies, routes } from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { KeywordReplyStore, StoredReplies } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';

/** Registers the routes for the replies of a workspace to STOP, START and HELP. */
export function registerKeywordReplyRoutes(
  registerRoute: RegisterRoute,
  { keywordReplies }: { keywordReplies: KeywordReplyStore },
): void {
  registerRoute(routes.getKeywordReplies, async ({ workspaceId }) =>
    toAnswer(await keywordReplies.find(workspaceId)),
  );

  registerRoute(routes.changeKeywordReplies, async ({ workspaceId, actor, body }) => {
    const { opt_out, opt_in, help } = body;
    const replies = {
      // An empty text would be no reply at all, so it selects the built-in text.
      ...(opt_out !== undefined && { opt_out: opt_out?.trim() || null }),
      ...(opt_in !== undefined && { opt_in: opt_in?.trim() || null }),
      ...(help !== undefined && { help: help?.trim() || null }),
    };
    return toAnswer(await keywordReplies.change(workspaceId, replies, actor));
  });
}

function toAnswer(replies: StoredReplies | null): KeywordReplies {
  if (replies === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
  return replies;
}
