/**
 * The same database, for connections for which triggers do not run. They keep our counts of messages:
 * what ours pays for, a reference is spared.
 */
export function withoutTriggers(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c session_replication_role=replica');
  // libpq takes a plus for a plus.
  return url.href.replaceAll('+', '%20');
}
