import type { Database } from '@switchboard/database';
import type { ProviderRegistry } from '@switchboard/providers';
import type { Finding } from './finding.ts';

const part = 'numbers';

const PLACEHOLDERS = { workspaceId: '{workspace}', providerId: '{provider}' };

interface Counts {
  all: number;
  /** Numbers whose messages the provider sends to another URL than this service's. */
  elsewhere: number;
  /** Numbers without a URL, and numbers that the account does not own or sends elsewhere. */
  nowhere: number;
}

/**
 * Checks the inbound URL of each number whose provider calls webhooks, as the service has set it at the
 * provider.
 */
export async function checkNumbers(
  { pool }: Pick<Database, 'pool'>,
  registry: Pick<ProviderRegistry, 'adapters'>,
  publicUrl: string,
): Promise<Finding[]> {
  const urls = registry.adapters.flatMap(({ type, webhooks }) =>
    webhooks === null ? [] : [{ type, url: webhooks.toInboundUrl(publicUrl, PLACEHOLDERS) }],
  );
  const { rows } = await pool.query<Counts>(
    `SELECT count(*)::int AS all,
       count(*) FILTER (WHERE n.inbound_url <> '' AND n.inbound_url <> replace(
         replace(a.url, '{workspace}', n.workspace_id::text), '{provider}', p.id::text))::int AS elsewhere,
       count(*) FILTER (WHERE COALESCE(n.inbound_url, '') = '')::int AS nowhere
     FROM phone_numbers n JOIN provider_accounts p ON n.workspace_id = p.workspace_id
         AND CASE WHEN n.provider_id IS NULL THEN p.is_default ELSE n.provider_id = p.id END
       JOIN unnest($1::text[], $2::text[]) AS a(type, url) ON a.type = p.type`,
    [urls.map(({ type }) => type), urls.map(({ url }) => url)],
  );
  const { all, elsewhere, nowhere } = rows[0] ?? { all: 0, elsewhere: 0, nowhere: 0 };
  const advice = 'verify the provider of each workspace in its settings';
  const [result, detail]: [Finding['result'], string] =
    elsewhere > 0
      ? [
          'problem',
          `Inbound messages to ${elsewhere} of ${all} numbers go to a URL other than this service’s: ${advice}.`,
        ]
      : nowhere > 0
        ? [
            'warning',
            `Inbound messages to ${nowhere} of ${all} numbers are not sent to this service: ${advice}, unless the account does not own them or sends them to another workspace.`,
          ]
        : ['good', `Inbound messages to ${all} of ${all} numbers are sent to this service.`];
  return [{ result, part, detail }];
}
