import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readTestingConfig } from '../config.ts';
import { fetchRedisServer } from './fetch-redis-server.ts';

/** The path of a Redis (or Valkey) server to run, fetched if this machine has none. */
export async function findRedisServer(): Promise<string> {
  for (const folder of readTestingConfig().path.split(delimiter)) {
    for (const name of ['redis-server', 'valkey-server']) {
      const path = join(folder, name);
      if (folder !== '' && (await isExecutable(path))) return path;
    }
  }
  return fetchRedisServer();
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
