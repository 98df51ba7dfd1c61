import { QUOTAS } from '@switchboard/core';
import { type Actor, recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../database.ts';
import { type Page, type PageRequest, listPage } from '../list-page.ts';
import { runStatement } from '../run-statement.ts';
import { optOutForms } from './opt-out-forms.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';

export interface StoredOptOut {
  number: string;
  reason: string;
  createdAt: Date;
  /** `number` is a keyed hash. */
  isErased: boolean;
}

/** Recipients to which a workspace must not send. */
export interface OptOutStore {
  /** Lists the newest opt-outs first. */
  list(workspaceId: string, page: PageRequest): Promise<Page<StoredOptOut>>;
  /**
   * Adds an opt-out. `exists`: a form of the number has already opted out, and the earlier reason stays.
   * `quota_exceeded`: the users of the workspace have reached its limit of added opt-outs.
   */
  add(
    workspaceId: string,
    optOut: Omit<StoredOptOut, 'isErased'>,
    by: Actor,
  ): Promise<StoredOptOut | 'exists' | 'quota_exceeded'>;
  /** Removes the opt-outs of all forms of the number. Returns false if there is none. */
  remove(workspaceId: string, number: string, by: Actor): Promise<boolean>;
  /** Lists the versions of the keys by which numbers of erased people are hashed. */
  listKeyVersions(): Promise<number[]>;
  /** Deletes opt-ins that are older than any late STOP can be. */
  deleteExpired(limit: number): Promise<number>;
}

const SHOWN = { number: true, reason: true, createdAt: true, isErased: true } as const;

/** Longer than the maximum delay of a STOP: `inbound-store.ts`. */
const OPT_INS_KEPT_DAYS = 8;

export function createOptOutStore({ prisma, pool }: Database): OptOutStore {
  return {
    list(workspaceId, page) {
      const where = { workspaceId };
      return listPage(
        page,
        () => prisma.optOut.count({ where }),
        (range) =>
          prisma.optOut.findMany({
            ...range,
            where,
            select: SHOWN,
            orderBy: [{ createdAt: 'desc' }, { number: 'asc' }],
          }),
      );
    },
    add(workspaceId, optOut, by) {
      return prisma.$transaction(async (tx) => {
        await lockWorkspace(tx, workspaceId);
        const { number } = optOut;
        // A START from before that is found late must not undo this.
        const present = await tx.$executeRaw`
          UPDATE opt_outs SET latest_at = now()
          WHERE workspace_id = ${workspaceId}::uuid AND number = ANY(${[...optOutForms(pool, { workspaceId, number })]})`;
        if (present > 0) return 'exists';
        const added = await tx.optOut.count({ where: { workspaceId, isAdded: true } });
        if (added >= QUOTAS.addedOptOutsPerWorkspace) return 'quota_exceeded';
        const [stored] = await tx.optOut.createManyAndReturn({
          data: [{ ...optOut, workspaceId, isAdded: true }],
          skipDuplicates: true,
          select: SHOWN,
        });
        // A STOP has stored the opt-out since the check.
        if (stored === undefined) return 'exists';
        const { number: target, reason } = stored;
        const detail = { reason };
        await recordAudit(tx, by, { workspaceId, action: 'opt_out.added', target, detail });
        return stored;
      });
    },
    remove(workspaceId, number, by) {
      const forms = [...optOutForms(pool, { workspaceId, number })];
      return prisma.$transaction(async (tx) => {
        const [removed] = await tx.$queryRaw<{ reason: string }[]>`
          DELETE FROM opt_outs WHERE workspace_id = ${workspaceId}::uuid AND number = ANY(${forms})
          RETURNING reason`;
        if (removed === undefined) return false;
        // An earlier STOP that is found later must not undo this.
        await tx.$executeRaw`
          INSERT INTO opt_ins (workspace_id, number, opted_in_at)
          VALUES (${workspaceId}::uuid, ${number}, now())
          ON CONFLICT (workspace_id, number) DO UPDATE SET opted_in_at = excluded.opted_in_at`;
        await tx.conversation.updateMany({
          where: { workspaceId, number: { in: forms }, optOutSuspected: true },
          data: { optOutSuspected: false },
        });
        await recordAudit(tx, by, {
          workspaceId,
          action: 'opt_out.removed',
          target: number,
          detail: { reason: removed.reason },
        });
        return true;
      });
    },
    async listKeyVersions() {
      const rows = await runStatement<{ version: number }>(
        pool,
        `SELECT DISTINCT split_part(number, ':', 2)::int AS version FROM opt_outs WHERE is_erased ORDER BY 1`,
        [],
      );
      return rows.map(({ version }) => version);
    },
    async deleteExpired(limit) {
      const rows = await runStatement(
        pool,
        `DELETE FROM opt_ins WHERE (workspace_id, number) IN (
           SELECT workspace_id, number FROM opt_ins
           WHERE opted_in_at < now() - interval '${OPT_INS_KEPT_DAYS} days'
           LIMIT $1::int FOR UPDATE SKIP LOCKED) RETURNING 1`,
        [limit],
      );
      return rows.length;
    },
  };
}
