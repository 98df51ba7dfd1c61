/** Brings the database that all test databases are copied from up to date, as `npm run migrate` does. */
export async function migrateTemplate(databaseUrl: string): Promise<void> {
  // Loaded when first needed: a run without a database does without the client and the queue.
  const [{ migrate }, { migrateQueue }] = await Promise.all([
    import('@switchboard/database'),
    import('@switchboard/queue'),
  ]);
  const log = { info: () => undefined };
  await migrate({ databaseUrl, after: [migrateQueue], log });
}
