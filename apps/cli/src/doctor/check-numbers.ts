import type { Database } from '@switchboard/database';
import { toInboundUrl } from '@switchboard/providers';
import type { Finding } from './finding.ts';

const part = 'numbers';

interface Counts {
  all: number;
  /** The provider sends their messages to another host. */
  elsewhere: number;
  /** The provider sends their messages here, to a URL that an earlier release has set. */
  outdated: number;
  /** No URL of ours is known to be set. */
  nowhere: number;
}

/** Whether the provider holds the inbound URL that each number must have, as far as we set it. */
export async function checkNumbers(
  { pool }: Pick<Database, 'pool'>,
  publicUrl: string,
): Promise<Finding> {
  const { rows } = await pool.query<Counts>(
    `SELECT count(*)::int AS all,
       count(*) FILTER (WHERE NOT starts_with(n.inbound_url, $1))::int AS elsewhere,
       count(*) FILTER (WHERE starts_with(n.inbound_url, $1)
         AND n.inbound_url <> replace($2, '{workspace}', n.workspace_id::text))::int AS outdated,
       count(*) FILTER (WHERE n.inbound_url IS NULL)::int AS nowhere
     FROM phone_numbers n JOIN provider_configurations p USING (workspace_id)`,
    [`${publicUrl}/`, toInboundUrl(publicUrl, '{workspace}')],
  );
  const { all, elsewhere, outdated, nowhere } = rows[0] ?? {
    all: 0,
    elsewhere: 0,
    outdated: 0,
    nowhere: 0,
  };
  if (elsewhere > 0) {
    const text = `What ${elsewhere} of ${all} numbers receive is sent to another address than PUBLIC_URL: verify the provider of each workspace in its settings.`;
    return { verdict: 'bad', part, text };
  }
  if (outdated > 0) {
    const text = `The inbound URL of ${outdated} of ${all} numbers does not ask the provider for retries, so that a short failure here loses messages: verify the provider of each workspace in its settings.`;
    return { verdict: 'bad', part, text };
  }
  if (nowhere > 0) {
    const text = `What ${nowhere} of ${all} numbers receive does not come here: verify the provider of each workspace in its settings, unless its account does not own them.`;
    return { verdict: 'doubtful', part, text };
  }
  return { verdict: 'good', part, text: `What ${all} of ${all} numbers receive comes here.` };
}
