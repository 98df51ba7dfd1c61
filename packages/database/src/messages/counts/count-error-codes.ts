import type { Database } from '../../database.ts';
import { SOURCES } from '../filters/choose-indexes.ts';
import { firstIdOf } from '../rows/id-range.ts';
import { named } from '../../named-statement.ts';
import { runStatement } from '../../run-statement.ts';

export interface ErrorCodeCount {
  errorCode: string;
  count: number;
  /** The count in the preceding period of the same length. */
  countBefore: number;
}

export type CountErrorCodes = ReturnType<typeof createCountErrorCodes>;

const LIMIT = 20;

const WITH_ERROR = `m.workspace_id = :workspaceId::uuid AND m.id >= :before::uuid AND m.id < :to::uuid
  AND m.error_code IS NOT NULL`;

const COUNT = `SELECT m.error_code AS "errorCode",
     count(*) FILTER (WHERE m.id >= :from::uuid) AS count,
     count(*) FILTER (WHERE m.id < :from::uuid) AS "countBefore"
   FROM (
     SELECT m.id, m.error_code FROM ${SOURCES.finished} m WHERE ${WITH_ERROR}
     UNION ALL
     SELECT m.id, m.error_code FROM ${SOURCES.inProgress} m WHERE ${WITH_ERROR}
   ) m
   GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 1 LIMIT ${LIMIT}`;

/** Counts a workspace's messages by error code, from `from` (inclusive) to `to` (exclusive). */
export function createCountErrorCodes({ pool }: Pick<Database, 'pool'>) {
  return (
    workspaceId: string,
    { from, to }: { from: Date; to: Date },
  ): Promise<ErrorCodeCount[]> => {
    const before = new Date(2 * from.getTime() - to.getTime());
    return runStatement<ErrorCodeCount>(
      pool,
      ...named(COUNT, {
        workspaceId,
        before: firstIdOf(before),
        from: firstIdOf(from),
        to: firstIdOf(to),
      }),
    );
  };
}
