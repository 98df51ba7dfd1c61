import type { Database } from '@switchboard/database';
import type { Finding } from './finding.ts';

const part = 'numbers';

/** Whether what the workspaces' numbers receive comes to this address, as far as we told so. */
export async function checkNumbers(
  { pool }: Pick<Database, 'pool'>,
  publicUrl: string,
): Promise<Finding> {
  const { rows } = await pool.query<{ all: number; elsewhere: number; nowhere: number }>(
    `SELECT count(*)::int AS all,
       count(*) FILTER (WHERE NOT starts_with(n.inbound_url, $1))::int AS elsewhere,
       count(*) FILTER (WHERE n.inbound_url IS NULL)::int AS nowhere
     FROM phone_numbers n JOIN provider_configurations p USING (workspace_id)`,
    [`${publicUrl}/`],
  );
  const { all, elsewhere, nowhere } = rows[0] ?? { all: 0, elsewhere: 0, nowhere: 0 };
  if (elsewhere > 0) {
    const text = `What ${elsewhere} of ${all} numbers receive is sent to another address than PUBLIC_URL: verify the provider of each workspace in its settings.`;
    return { verdict: 'bad', part, text };
  }
  if (nowhere > 0) {
    const text = `What ${nowhere} of ${all} numbers receive does not come here: verify the provider of each workspace in its settings, unless its account does not own them.`;
    return { verdict: 'doubtful', part, text };
  }
  return { verdict: 'good', part, text: `What ${all} of ${all} numbers receive comes here.` };
}
