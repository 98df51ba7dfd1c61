import { KEYWORDS, type Keyword, type KeywordConflict, indexOwnWords } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

/** A workspace's own settings for one keyword. */
export interface StoredKeyword {
  /** Null for the default reply of the service. */
  reply: string | null;
  /** Beside the built-in words. */
  words: readonly string[];
}

export type StoredKeywords = Record<Keyword, StoredKeyword>;

export interface KeywordReplyStore {
  find(workspaceId: string): Promise<StoredKeywords | null>;
  /**
   * Changes the given settings. Returns null if there is no such workspace, and changes nothing if a
   * word would be in two lists.
   */
  change(
    workspaceId: string,
    settings: Readonly<Record<Keyword, Partial<StoredKeyword>>>,
    by: Actor,
  ): Promise<StoredKeywords | { conflict: KeywordConflict } | null>;
}

const COLUMNS = {
  optOutReply: true,
  optInReply: true,
  helpReply: true,
  optOutWords: true,
  optInWords: true,
  helpWords: true,
} as const;

export function createKeywordReplyStore({ prisma }: Pick<Database, 'prisma'>): KeywordReplyStore {
  return {
    async find(id) {
      const row = await prisma.workspace.findUnique({ where: { id }, select: COLUMNS });
      return row === null ? null : toKeywords(row);
    },
    change(workspaceId, settings, by) {
      return prisma.$transaction(async (tx) => {
        // Locked, so that no other change adds a word, and the audit entry has what this change replaces.
        await lockWorkspace(tx, workspaceId);
        const where = { id: workspaceId };
        const row = await tx.workspace.findUnique({ where, select: COLUMNS });
        if (row === null) return null;
        const before = toKeywords(row);
        const after = mapKeywords((keyword) => ({ ...before[keyword], ...settings[keyword] }));
        const detail = compare(before, after);
        if (Object.keys(detail).length === 0) return after;
        const found = indexOwnWords(mapKeywords((keyword) => after[keyword].words));
        if ('conflict' in found) return found;
        await tx.workspace.update({
          where,
          data: {
            optOutReply: after.opt_out.reply,
            optInReply: after.opt_in.reply,
            helpReply: after.help.reply,
            optOutWords: [...after.opt_out.words],
            optInWords: [...after.opt_in.words],
            helpWords: [...after.help.words],
            ownKeywords: Object.fromEntries(found.index),
          },
        });
        const action = 'keyword_replies.changed';
        await recordAudit(tx, by, { workspaceId, action, target: workspaceId, detail });
        return after;
      });
    },
  };
}

function mapKeywords<Value>(read: (keyword: Keyword) => Value): Record<Keyword, Value> {
  return { opt_out: read('opt_out'), opt_in: read('opt_in'), help: read('help') };
}

/** Returns what differs, by the names of the fields in requests. */
function compare(before: StoredKeywords, after: StoredKeywords) {
  const texts = KEYWORDS.map((keyword) => ({
    name: keyword,
    from: before[keyword].reply,
    to: after[keyword].reply,
  }));
  const words = KEYWORDS.map((keyword) => ({
    name: `${keyword}_words`,
    from: before[keyword].words.join(', '),
    to: after[keyword].words.join(', '),
  }));
  return Object.fromEntries(
    [...texts, ...words]
      .filter(({ from, to }) => from !== to)
      .map(({ name, from, to }) => [name, { from, to }]),
  );
}

function toKeywords(row: {
  optOutReply: string | null;
  optInReply: string | null;
  helpReply: string | null;
  optOutWords: string[];
  optInWords: string[];
  helpWords: string[];
}): StoredKeywords {
  return {
    opt_out: { reply: row.optOutReply, words: row.optOutWords },
    opt_in: { reply: row.optInReply, words: row.optInWords },
    help: { reply: row.helpReply, words: row.helpWords },
  };
}
