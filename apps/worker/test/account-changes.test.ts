import { EVENTUALLY, createWorkspaceFixture } from '@switchboard/testing';
import { expect, test, vi } from 'vitest';
import { startEnvironment } from './start-environment.ts';

test('a worker copies a change of an account that the API could not copy to the audit trail', async () => {
  const { database, databaseUrl, startWorker } = await startEnvironment();
  const workspace = await createWorkspaceFixture(databaseUrl);
  await database.pool.query(
    `INSERT INTO account_changes (user_id, workspace_ids, by_operator, action, detail)
     VALUES ($1, ARRAY[$2::uuid], true, 'member.reset_link_created', '{}')`,
    [workspace.userId, workspace.workspaceId],
  );
  await startWorker();
  const findEntries = async () =>
    (
      await database.pool.query(
        `SELECT action, user_id AS "userId" FROM audit_entries WHERE workspace_id = $1 AND target = $2`,
        [workspace.workspaceId, workspace.userId],
      )
    ).rows;
  await vi.waitFor(
    async () =>
      expect(await findEntries()).toEqual([{ action: 'member.reset_link_created', userId: null }]),
    EVENTUALLY,
  );
  await vi.waitFor(
    async () =>
      expect((await database.pool.query('SELECT 1 FROM account_changes')).rows).toEqual([]),
    EVENTUALLY,
  );
});
