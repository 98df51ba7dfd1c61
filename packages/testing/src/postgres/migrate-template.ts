/** Migrates the template of all test databases, as `npm run migrate` does. */
export async function migrateTemplate(databaseUrl: string): Promise<void> {
  // Loaded on first use: a run without a database does not need the client and the queue.
  const [{ migrate }, { migrateQueue }] = await Promise.all([
    import('@switchboard/database'),
    import('@switchboard/queue'),
  ]);
  const log = { info: () => undefined };
  await migrate({ databaseUrl, after: [migrateQueue], log });
}
