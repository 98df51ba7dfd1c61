import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@switchboard/database';
import { createWorkspaceFixture } from '@switchboard/testing';
import pg from 'pg';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import { generateMessages } from './generate-messages.ts';

export interface Filled {
  /** A second database on the same server, with a tenth of the messages. */
  smallDatabaseUrl: string;
}

const SMALL = 'bench_small';

/** Fills the database and a small one on the same server, unless an earlier run has filled both completely. */
export async function fillDatabases(
  environment: BenchEnvironment,
  messages: number,
  onProgress: (what: string) => void,
): Promise<Filled> {
  const small = new URL(environment.databaseUrl);
  small.pathname = `/${SMALL}`;
  const filled: Filled = { smallDatabaseUrl: small.href };
  const mark = join(environment.folder, `filled-${messages}`);
  const isFilled = await access(mark).then(
    () => true,
    () => false,
  );
  const log = { info: () => undefined };
  if (isFilled) {
    // The kept databases may be older than the newest migration.
    await migrate({ databaseUrl: small.href, log });
    return filled;
  }

  const workspaceIds = environment.workspaces.map(({ workspaceId }) => workspaceId);
  await generateMessages({
    databaseUrl: environment.databaseUrl,
    workspaceIds,
    messages,
    onProgress,
  });
  await createDatabase(environment.databaseUrl);
  await migrate({ databaseUrl: small.href, log });
  const smallWorkspaceIds: string[] = [];
  while (smallWorkspaceIds.length < workspaceIds.length) {
    smallWorkspaceIds.push((await createWorkspaceFixture(small.href)).workspaceId);
  }
  await generateMessages({
    databaseUrl: small.href,
    workspaceIds: smallWorkspaceIds,
    messages: messages / 10,
    onProgress: (what) => onProgress(`the small database: ${what}`),
  });
  await writeFile(mark, '');
  return filled;
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // An interrupted run may have left this database.
    await client.query(`DROP DATABASE IF EXISTS ${SMALL}`);
    await client.query(`CREATE DATABASE ${SMALL}`);
  } finally {
    await client.end();
  }
}
