import { DETAILS, type KeywordReplies, routes } from '@switchboard/contracts';
import { AppError, type KeywordConflict } from '@switchboard/core';
import type { KeywordReplyStore, StoredKeyword, StoredKeywords } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';

/** Registers the routes for the replies of a workspace to STOP, START and HELP, and its words for them. */
export function registerKeywordReplyRoutes(
  registerRoute: RegisterRoute,
  { keywordReplies }: { keywordReplies: KeywordReplyStore },
): void {
  registerRoute(routes.getKeywordReplies, async ({ workspaceId }) =>
    toResponse(await keywordReplies.find(workspaceId)),
  );

  registerRoute(routes.changeKeywordReplies, async ({ workspaceId, actor, body }) => {
    const settings = {
      opt_out: toSettings(body.opt_out, body.opt_out_words),
      opt_in: toSettings(body.opt_in, body.opt_in_words),
      help: toSettings(body.help, body.help_words),
    };
    const changed = await keywordReplies.change(workspaceId, settings, actor);
    if (changed !== null && 'conflict' in changed) throw refuseConflict(changed.conflict);
    return toResponse(changed);
  });
}

function toSettings(
  reply: string | null | undefined,
  words: readonly string[] | undefined,
): Partial<StoredKeyword> {
  return {
    // An empty text would be no reply at all, so it selects the built-in text.
    ...(reply !== undefined && { reply: reply?.trim() || null }),
    ...(words !== undefined && { words }),
  };
}

function refuseConflict({ word, keyword, other, isBuiltIn }: KeywordConflict): AppError {
  const reason = isBuiltIn
    ? `which is a built-in word of \`${other}\``
    : `which is also in \`${other}_words\``;
  return new AppError(
    'invalid_params',
    `\`${keyword}_words\` must not contain ${JSON.stringify(word)}, ${reason}`,
  );
}

function toResponse(keywords: StoredKeywords | null): KeywordReplies {
  if (keywords === null) throw new AppError('not_found', DETAILS.noSuchWorkspace);
  const { opt_out, opt_in, help } = keywords;
  return {
    opt_out: opt_out.reply,
    opt_in: opt_in.reply,
    help: help.reply,
    opt_out_words: [...opt_out.words],
    opt_in_words: [...opt_in.words],
    help_words: [...help.words],
  };
}
