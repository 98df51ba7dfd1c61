import { createTestDatabase, createWorkspaceFixture, openTestDatabase } from '@switchboard/testing';
import { type Database } from '../../src/index.ts';

export type SessionEnvironment = Awaited<ReturnType<typeof openSessionEnvironment>>;

/** Opens a database to which accounts can be added, each in a workspace of its own. */
export async function openSessionEnvironment() {
  const { url, drop } = await createTestDatabase();
  const database: Database = openTestDatabase(url);

  async function addAccount(): Promise<{ workspaceId: string; id: string; sealedSecret: string }> {
    const { workspaceId } = await createWorkspaceFixture(url);
    const { rows } = await database.pool.query<{ id: string; sealedSecret: string }>(
      `SELECT id, sealed_secret AS "sealedSecret" FROM provider_accounts
       WHERE workspace_id = $1 AND is_default`,
      [workspaceId],
    );
    const [account] = rows;
    if (account === undefined) throw new Error('the workspace has no account');
    return { workspaceId, ...account };
  }

  return {
    database,
    addAccount,
    async close(): Promise<void> {
      await database.close();
      await drop();
    },
  };
}
