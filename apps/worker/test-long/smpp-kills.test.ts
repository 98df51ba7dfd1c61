import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import {
  type ChildProcess,
  createTestRedis,
  createWorkspaceFixture,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startEnvironment } from '../test/start-environment.ts';
import { addSmppAccount, createSmppAccount } from '../test/sessions/start-session-environment.ts';

const MESSAGES = 600;
const SENDER = '+14155550177';
const FINISHED_MS = 180_000;

interface Line {
  sid: string;
  provider: string;
  body: string;
}

/** Starts a simulator that keeps its ledger and its ports when it is killed. */
async function startSmsc() {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-smsc-'));
  const env = { DATA_DIR: folder, SIMULATOR_PORT: String(await findFreePort()) };
  let child = await startSimulator(env);
  onTestFinished(async () => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: child.url,
    async restart(): Promise<void> {
      await child.kill();
      child = await startSimulator(env);
    },
    async readLedger(): Promise<Line[]> {
      const response = await fetch(`${child.url}/simulator/ledger`, {
        headers: { connection: 'close' },
      });
      const lines = (await response.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Line);
    },
  };
}

test.each(['Redis', 'PostgreSQL'])(
  'with %s, kill -9 of workers and of the SMSC under load loses no message and sends none twice',
  async (backend) => {
    const redis = backend === 'Redis' ? await createTestRedis() : null;
    if (redis !== null) onTestFinished(() => redis.close());
    const environment = await startEnvironment(
      redis === null ? { hintGraceMs: 500 } : { hintGraceMs: 500, redisUrl: redis.url },
    );
    const { database, databaseUrl } = environment;
    const smsc = await startSmsc();
    const fixture = await createWorkspaceFixture(databaseUrl, { provider: false, from: SENDER });
    const { workspaceId } = fixture;
    await addSmppAccount(
      database,
      workspaceId,
      await createSmppAccount(smsc.url, { maxBinds: 2, credentials: { max_binds: 2 } }),
    );
    const startOne = (): Promise<ChildProcess> =>
      startWorker({
        DATABASE_URL: databaseUrl,
        ...(redis !== null && { REDIS_URL: redis.url }),
        PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8',
        PROVIDER_TIMEOUT_MS: '3000',
        LEASE_MS: '8000',
        UNKNOWN_LOOKUPS_MS: '4000,8000',
        SWEEP_MS: '300',
      });
    const workers = [await startOne(), await startOne(), await startOne()];
    onTestFinished(async () => {
      for (const worker of workers) await worker.stop();
    });

    let isSending = true;
    const sending = (async () => {
      for (let count = 0; count < MESSAGES; count += 1) {
        await environment.accept(workspaceId, `+1415556${String(count).padStart(4, '0')}`, {
          from: SENDER,
          body: `Text ${count}`,
        });
        await delay(40);
      }
      isSending = false;
    })();
    const faults = (async () => {
      for (let round = 0; isSending; round += 1) {
        await delay(3_000);
        const index = round % workers.length;
        await workers[index]?.kill();
        workers[index] = await startOne();
        await delay(2_000);
        await smsc.restart();
      }
    })();
    await Promise.all([sending, faults]);

    const deadline = performance.now() + FINISHED_MS;
    const countWaiting = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM messages WHERE dispatch IN ('ready', 'inflight')`,
      );
      return rows[0]?.waiting ?? 0;
    };
    while ((await countWaiting()) > 0 && performance.now() < deadline) await delay(500);

    const ledger = await smsc.readLedger();
    const { rows } = await database.pool.query<{
      body: string;
      dispatch: string;
      sid: string | null;
    }>(`SELECT body, dispatch, provider_sid AS sid FROM messages WHERE direction = 'outbound'`);
    const linesOf = new Map<string, Line[]>();
    for (const line of ledger) linesOf.set(line.body, [...(linesOf.get(line.body) ?? []), line]);
    const isAccepted = ({ dispatch }: { dispatch: string }) => dispatch === 'accepted';
    const lost = rows.filter(
      (row) =>
        // A killed call may or may not have sent its message, and SMPP has no lookup, so the
        // outcome stays unknown.
        !(isAccepted(row) || row.dispatch === 'unknown') ||
        (isAccepted(row) && !linesOf.get(row.body)?.some(({ sid }) => sid === row.sid)),
    );
    expect(lost).toEqual([]);
    expect([...linesOf.values()].filter((lines) => lines.length > 1)).toEqual([]);
    expect(rows).toHaveLength(MESSAGES);
    // The faults affect few of the messages.
    expect(rows.filter(isAccepted).length).toBeGreaterThan(MESSAGES / 2);
  },
);
