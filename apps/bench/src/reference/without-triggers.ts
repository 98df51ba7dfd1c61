/**
 * Returns the URL of the same database for connections without triggers. The triggers maintain the
 * counts of messages, which the references do not need.
 */
export function withoutTriggers(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c session_replication_role=replica');
  // libpq does not decode a plus as a space.
  return url.href.replaceAll('+', '%20');
}
