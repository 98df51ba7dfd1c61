import {
  type KeywordReplies,
  changeKeywordRepliesRequest,
  parseBody,
} from '@switchboard/contracts';
import { AppError } from '@switchboard/core';
import type { KeywordReplyStore, StoredReplies } from '@switchboard/database';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { userOf } from '../http/actor.ts';
import type { Credentials } from '../http/credentials.ts';

export interface KeywordReplyRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  keywordReplies: KeywordReplyStore;
}

/** What the workspace answers to STOP, START and HELP. */
export function registerKeywordReplyRoutes(
  app: FastifyInstance,
  { credentials, requireMember, keywordReplies }: KeywordReplyRouteDependencies,
): void {
  const path = '/api/ui/workspaces/:workspaceId/keyword-replies';
  const onRequest = [credentials.requireSession, requireMember];

  app.get(path, { onRequest }, async (request) =>
    answer(await keywordReplies.find(request.membership.workspaceId)),
  );

  app.patch(path, { onRequest }, async (request) => {
    const { opt_out, opt_in, help } = parseBody(changeKeywordRepliesRequest, request.body);
    const replies = {
      // An empty text would be no reply at all: it stands for the service's own words.
      ...(opt_out !== undefined && { opt_out: opt_out?.trim() || null }),
      ...(opt_in !== undefined && { opt_in: opt_in?.trim() || null }),
      ...(help !== undefined && { help: help?.trim() || null }),
    };
    const { workspaceId } = request.membership;
    return answer(await keywordReplies.change(workspaceId, replies, userOf(request)));
  });
}

function answer(replies: StoredReplies | null): KeywordReplies {
  if (replies === null) throw new AppError('not_found', 'No such workspace');
  return replies;
}
