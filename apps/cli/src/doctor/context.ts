import {
  type Database,
  type SeenProcess,
  compareMigrations,
  createDatabase,
  createProcessStore,
} from '@switchboard/database';
import type { ApiUrlSetting } from '@switchboard/runtime';
import type { DoctorSettings } from '../config.ts';
import { NotCheckedError } from './not-checked-error.ts';

/** The input of the checks: the settings and the database. */
export interface DoctorContext {
  environment: DoctorSettings;
  /** Returns a setting. Throws a `NotCheckedError` if it is not valid. */
  setting<Name extends keyof Usable>(name: Name): Usable[Name];
  /** Returns the database, connected or not. Only the check of the connection uses it. */
  database(): Database;
  /** Returns the database. Throws a `NotCheckedError` if there is no connection to it. */
  connected(): Promise<Database>;
  /** Returns the database. Throws a `NotCheckedError` if its tables are not those of this version. */
  migrated(): Promise<Database>;
  /** Returns the running APIs and workers. Throws a `NotCheckedError` if the table cannot be read. */
  running(): Promise<SeenProcess[]>;
  close(): Promise<void>;
}

type Usable = DoctorSettings['usable'] & Required<Pick<DoctorSettings['usable'], Always>>;
/** Settings that always have a value, because they have a default or are required. */
type Always =
  | 'DATABASE_URL'
  | 'PROVIDER_TIMEOUT_MS'
  | 'PUBLIC_URL'
  | 'REPLICA_MAX_LAG_MS'
  | 'SECRET_KEY'
  | 'TRUST_PROXY'
  | ApiUrlSetting;

export function createDoctorContext(environment: DoctorSettings): DoctorContext {
  let database: Database | undefined;
  let connecting: Promise<void> | undefined;
  let comparing: Promise<boolean> | undefined;

  const context: DoctorContext = {
    environment,
    setting(name) {
      if (environment.problems.has(name)) throw new NotCheckedError(`${name} is not valid`);
      return environment.usable[name] as Usable[typeof name];
    },
    database() {
      database ??= createDatabase({
        url: context.setting('DATABASE_URL'),
        poolSize: 1,
        applicationName: 'switchboard-doctor',
        onError: () => undefined, // The next statement fails with the same error.
      });
      return database;
    },
    async connected() {
      const own = context.database();
      connecting ??= own.ping();
      await connecting.catch(() => {
        throw new NotCheckedError('there is no connection to the database');
      });
      return own;
    },
    async migrated() {
      const own = await context.connected();
      comparing ??= compareMigrations(own).then(({ pending }) => pending.length === 0);
      if (await comparing.catch(() => false)) return own;
      throw new NotCheckedError('the schema is not up to date or cannot be read');
    },
    running: async () => createProcessStore(await context.migrated()).listRunning(),
    async close() {
      await database?.close();
    },
  };
  return context;
}
