import { findRefusal } from '@switchboard/postgres';
import { describeFailure } from './finding.ts';

/** What to correct, by PostgreSQL's code of a refused connection. */
const ADVICE = new Map([
  // invalid_password. PostgreSQL does not reveal whether the role exists.
  ['28P01', (setting: string) => `correct the user and the password in ${setting}`],
  [
    // invalid_authorization_specification
    '28000',
    (setting: string) =>
      `correct the user in ${setting}, or let this role log in from this machine (CREATE ROLE, ALTER ROLE … LOGIN, pg_hba.conf)`,
  ],
  [
    // invalid_catalog_name
    '3D000',
    (setting: string) =>
      `correct the name of the database in ${setting}, or create the database (docs/deploy.md, step 1)`,
  ],
]);

/** Describes why there is no connection to a server, and what to correct. */
export function describeConnectFailure(
  error: unknown,
  { server = 'PostgreSQL', setting }: { server?: string; setting: string },
): string {
  const refusal = findRefusal(error);
  if (refusal === null) {
    return `${server} does not respond (${describeFailure(error)}): check ${setting}, and that the server runs and accepts connections from this machine.`;
  }
  const advice =
    ADVICE.get(refusal.code ?? '')?.(setting) ?? `check ${setting} and the log of the server`;
  return `${server} refused the connection (${refusal.message}): ${advice}.`;
}
