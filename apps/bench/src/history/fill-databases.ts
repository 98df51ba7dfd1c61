import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@switchboard/database';
import { createWorkspaceFixture } from '@switchboard/testing';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import { generateMessages } from './generate-messages.ts';

const SMALL = 'bench_small';

/**
 * Fills the database, and a second one on the same server with a tenth of the messages, unless an earlier run
 * has filled both completely. Returns the URL of the second.
 */
export async function fillDatabases(
  { databaseUrl, folder, query, ...environment }: BenchEnvironment,
  messages: number,
  progress: (what: string) => void,
): Promise<string> {
  const small = new URL(databaseUrl);
  small.pathname = `/${SMALL}`;
  const migrateSmall = () => migrate({ databaseUrl: small.href, log: { info: () => undefined } });
  const mark = join(folder, `filled-${messages}`);
  const isFilled = await access(mark).then(
    () => true,
    () => false,
  );
  if (isFilled) {
    // The kept databases may be older than the newest migration.
    await migrateSmall();
    return small.href;
  }
  const workspaceIds = environment.workspaces.map(({ workspaceId }) => workspaceId);
  await generateMessages(databaseUrl, { workspaceIds, messages }, progress);
  // An interrupted run may have left this database.
  await query(`DROP DATABASE IF EXISTS ${SMALL}`);
  await query(`CREATE DATABASE ${SMALL}`);
  await migrateSmall();
  const smallIds: string[] = [];
  while (smallIds.length < workspaceIds.length) {
    smallIds.push((await createWorkspaceFixture(small.href)).workspaceId);
  }
  const tenth = { workspaceIds: smallIds, messages: messages / 10 };
  await generateMessages(small.href, tenth, (what) => progress(`the small database: ${what}`));
  await writeFile(mark, '');
  return small.href;
}
