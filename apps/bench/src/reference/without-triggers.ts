/**
 * The same database, for connections of the references: triggers, which keep our counts of messages,
 * do not run for them. What ours pays for, they are spared.
 */
export function withoutTriggers(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c session_replication_role=replica');
  // libpq takes a plus for a plus.
  return url.href.replaceAll('+', '%20');
}
