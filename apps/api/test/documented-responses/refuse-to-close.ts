import { createWorkspaceFixture } from '@switchboard/testing';
import { pool, postgres } from './environment.ts';
import { record } from './record-outcomes.ts';

/** Requests to close an account that its state does not allow. */
export async function refuseToClose(): Promise<void> {
  const {
    sessionToken: token,
    workspaceId,
    userId,
    password,
  } = await createWorkspaceFixture(postgres.url);
  const { userId: member } = await createWorkspaceFixture(postgres.url);
  await pool.query(`INSERT INTO members VALUES ($1, $2, 'member', now())`, [workspaceId, member]);
  await record('DELETE /api/ui/me', { token, json: { password } });
  await record('DELETE /api/ui/me', { token, json: {} });
  await pool.query('UPDATE users SET password_hash = NULL WHERE id = $1', [userId]);
  await pool.query(
    `UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`,
    [userId],
  );
  await record('DELETE /api/ui/me', { token, json: {} });
}
