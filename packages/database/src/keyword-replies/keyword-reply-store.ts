import type { Keyword } from '@switchboard/core';
import type { Database } from '../database.ts';

/** A workspace's own words for its replies to keywords; null for the words of the service. */
export type StoredReplies = Record<Keyword, string | null>;

export interface KeywordReplyStore {
  find(workspaceId: string): Promise<StoredReplies | null>;
  /** What is left out stays. Null when there is no such workspace. */
  change(workspaceId: string, replies: Partial<StoredReplies>): Promise<StoredReplies | null>;
}

const COLUMNS = { optOutReply: true, optInReply: true, helpReply: true } as const;

export function createKeywordReplyStore({ prisma }: Pick<Database, 'prisma'>): KeywordReplyStore {
  return {
    async find(id) {
      const row = await prisma.workspace.findUnique({ where: { id }, select: COLUMNS });
      return row === null ? null : toReplies(row);
    },
    async change(id, { opt_out, opt_in, help }) {
      const [row] = await prisma.workspace.updateManyAndReturn({
        where: { id },
        data: {
          ...(opt_out !== undefined && { optOutReply: opt_out }),
          ...(opt_in !== undefined && { optInReply: opt_in }),
          ...(help !== undefined && { helpReply: help }),
        },
        select: COLUMNS,
      });
      return row === undefined ? null : toReplies(row);
    },
  };
}

function toReplies(row: Record<keyof typeof COLUMNS, string | null>): StoredReplies {
  return { opt_out: row.optOutReply, opt_in: row.optInReply, help: row.helpReply };
}
