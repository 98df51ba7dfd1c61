import { rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, startChild, startPostgres, startRedis } from '@switchboard/testing';
import { expect, test } from 'vitest';

const HANG_MS = 600_000;

test('this test starts every kind of process and hangs until its run is interrupted', async () => {
  await createTestDatabase({ empty: true });
  const postgres = await startPostgres();
  const redis = await startRedis();
  const deaf = await startChild({
    name: 'deaf',
    command: '/bin/sh',
    args: ['-c', 'trap "" INT TERM HUP; echo ready; while :; do sleep 1; done'],
    env: { PATH: '/usr/bin:/bin' },
    isReady: (line) => line === 'ready',
  });
  const run = { folder: tmpdir(), vitest: process.ppid };
  const pids = [process.pid, process.ppid, postgres.pid, redis.pid, deaf.pid];
  const report = String(process.env['INTERRUPTED_RUN_REPORT']);
  await writeFile(`${report}.draft`, JSON.stringify({ ...run, pids }));
  await rename(`${report}.draft`, report);
  await delay(HANG_MS);
  expect.fail('The run was not interrupted.');
});
