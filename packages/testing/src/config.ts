export interface TestingConfig {
  /** A PostgreSQL server whose user may create databases; without it the embedded one runs. */
  databaseUrl: string | undefined;
  /** A Redis server to share; without it, each test file starts its own. */
  redisUrl: string | undefined;
  path: string;
}

export function readTestingConfig(env: NodeJS.ProcessEnv = process.env): TestingConfig {
  return {
    databaseUrl: env['TEST_DATABASE_URL'] || env['DATABASE_URL'] || undefined,
    redisUrl: env['REDIS_URL'] || undefined,
    path: env['PATH'] ?? '',
  };
}

export const isRunByNpm = (): boolean => process.env['npm_lifecycle_event'] !== undefined;

/** Sets the folder for temporary files of this process and, unless they get another one, its children. */
export function setTemporaryFolder(folder: string): void {
  process.env['TMPDIR'] = folder;
}
