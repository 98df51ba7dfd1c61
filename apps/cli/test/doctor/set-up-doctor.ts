import { randomUUID } from 'node:crypto';
import { createProcessStore } from '@switchboard/database';
import {
  type ChildProcess,
  type CommandResult,
  TEST_SECRET_KEY,
  type TestDatabase,
  createTestDatabase,
  runCommand,
  startApi,
  startSimulator,
  openTestDatabase,
} from '@switchboard/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { inspectDoctorSettings } from '../../src/config.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { runChecks } from '../../src/doctor/run-checks.ts';

/** The findings by part, as `result: detail`. Several findings of a part are several lines. */
type Report = Record<string, string>;

/**
 * Sets up an environment in which every check is good: a database for each test, in which a worker has
 * reported itself, an API, and a simulated provider.
 */
export function setUpDoctor() {
  let apiDatabase: TestDatabase;
  let database: TestDatabase;
  let removeWorker: () => Promise<void>;
  let simulator: ChildProcess;
  let api: ChildProcess;

  beforeAll(async () => {
    apiDatabase = await createTestDatabase();
    [simulator, api] = await Promise.all([
      startSimulator(),
      startApi({ DATABASE_URL: apiDatabase.url, TRUST_PROXI: '1' }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([simulator.stop(), api.stop()]);
    await apiDatabase.drop();
  });
  beforeEach(async () => {
    database = await createTestDatabase();
    removeWorker = await reportWorker(database.url);
  });
  afterEach(async () => {
    await removeWorker();
    await database.drop();
  });

  return {
    databaseUrl: () => database.url,
    apiUrl: () => api.url,
    apiLogs: () => api.logs,
    simulatorUrl: () => simulator.url,
    async removeWorker() {
      await removeWorker();
      removeWorker = () => Promise.resolve();
    },

    async query(sql: string): Promise<void> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(sql).finally(() => client.end());
    },

    /** Runs every check of `npm run doctor` in this process. */
    async run(env: Record<string, string> = {}): Promise<Report> {
      const findings: Finding[] = [];
      const settings = inspectDoctorSettings({ ...withDefaults(), ...env });
      for await (const finding of runChecks(settings)) findings.push(finding);
      return sortByPart(findings);
    },

    /** Runs the built command. */
    spawn: (env: Record<string, string> = {}, options: readonly string[] = []) =>
      spawnDoctor({ ...withDefaults(), ...env }, options),
  };

  function withDefaults(): Record<string, string> {
    return {
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_KEY,
      PUBLIC_URL: api.url,
      TWILIO_API_URL: simulator.url,
    };
  }
}

/** Adds a worker to the list of processes. Returns a function that removes it. */
export async function reportWorker(url: string): Promise<() => Promise<void>> {
  const database = openTestDatabase(url);
  const store = createProcessStore(database);
  const worker = { id: randomUUID(), role: 'worker', host: 'test-host', pid: 1, keyIds: [] };
  await store.report(worker);
  return async () => {
    await store.remove(worker.id);
    await database.close();
  };
}

interface Spawned extends CommandResult {
  report: Report;
}

async function spawnDoctor(env: Record<string, string>, args: readonly string[]): Promise<Spawned> {
  const ended = await runCommand('doctor', { env, args });
  const findings = ended.stdout.split('\n').flatMap((line) => {
    const [, result, part = '', detail = ''] =
      /^(good|warning|problem|skipped) {2,}(\S.*?) {2,}(.*)$/.exec(line) ?? [];
    return result === undefined ? [] : [{ result, part, detail }];
  });
  return { ...ended, report: sortByPart(findings) };
}

function sortByPart(findings: readonly Record<'result' | 'part' | 'detail', string>[]): Report {
  const report: Report = {};
  for (const { result, part, detail } of findings) {
    const before = report[part] === undefined ? '' : `${report[part]}\n`;
    report[part] = `${before}${result}: ${detail}`;
  }
  return report;
}
