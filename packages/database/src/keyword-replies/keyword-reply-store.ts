import type { Keyword } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

/** A workspace's own replies to keywords; null for the default reply of the service. */
export type StoredReplies = Record<Keyword, string | null>;

export interface KeywordReplyStore {
  find(workspaceId: string): Promise<StoredReplies | null>;
  /** Changes the given replies. Returns null if there is no such workspace. */
  change(
    workspaceId: string,
    replies: Partial<StoredReplies>,
    by: Actor,
  ): Promise<StoredReplies | null>;
}

const KEYWORDS: readonly Keyword[] = ['opt_out', 'opt_in', 'help'];
const COLUMNS = { optOutReply: true, optInReply: true, helpReply: true } as const;

export function createKeywordReplyStore({ prisma }: Pick<Database, 'prisma'>): KeywordReplyStore {
  return {
    async find(id) {
      const row = await prisma.workspace.findUnique({ where: { id }, select: COLUMNS });
      return row === null ? null : toReplies(row);
    },
    change(workspaceId, replies, by) {
      return prisma.$transaction(async (tx) => {
        // Locked, so that the audit entry has the replies that this change replaces.
        await lockWorkspace(tx, workspaceId);
        const where = { id: workspaceId };
        const row = await tx.workspace.findUnique({ where, select: COLUMNS });
        if (row === null) return null;
        const before = toReplies(row);
        const after = { ...before, ...replies };
        const changed = KEYWORDS.filter((keyword) => before[keyword] !== after[keyword]);
        if (changed.length === 0) return after;
        await tx.workspace.update({
          where,
          data: {
            optOutReply: after.opt_out,
            optInReply: after.opt_in,
            helpReply: after.help,
          },
        });
        await recordAudit(tx, by, {
          workspaceId,
          action: 'keyword_replies.changed',
          target: workspaceId,
          detail: Object.fromEntries(
            changed.map((keyword) => [keyword, { from: before[keyword], to: after[keyword] }]),
          ),
        });
        return after;
      });
    },
  };
}

function toReplies(row: Record<keyof typeof COLUMNS, string | null>): StoredReplies {
  return { opt_out: row.optOutReply, opt_in: row.optInReply, help: row.helpReply };
}
