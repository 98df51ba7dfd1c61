import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../packages/embedded-postgres/src/index.ts';
import {
  EVENTUALLY,
  certificatePath,
  createClosers,
  findExporter,
  startChild,
  startPostgres,
  startRedis,
  startReplica,
} from '../../packages/testing/src/index.ts';
import { ROOT, readRootFile } from './settings-in-code.ts';

const NIGHTLY_JOBS = ['backup', 'restore_test', 'retention'];

const closers = createClosers();
/** The metrics of all exporters in the format of Prometheus. */
let exposed = '';

beforeAll(async () => {
  const folder = await closers.open(
    () => mkdtemp(join(tmpdir(), 'switchboard-exporters-')),
    (made) => rm(made, { recursive: true }),
  );
  const postgres = await closers.open(startPostgres, (one) => one.close());
  await closers.open(
    () => startReplica(postgres),
    (one) => one.close(),
  );
  const redis = await closers.open(
    () => startRedis({ settings: { maxmemory: '100mb' } }),
    (one) => one.close(),
  );
  const pages = await Promise.all([
    scrape(
      'postgres',
      [`--extend.query-path=${join(ROOT, 'ops/prometheus/postgres-queries.yml')}`],
      {
        env: { DATA_SOURCE_NAME: `${postgres.url}?sslmode=disable` },
      },
    ),
    scrape('redis', [`--redis.addr=${redis.url}`]),
    scrape('node', [`--collector.textfile.directory=${await writeReports(folder)}`]),
    scrapeCertificate(folder),
  ]);
  exposed = pages.join('\n');
});

afterAll(() => closers.close());

/** Starts one of Debian’s exporters and reads one of its pages. */
async function scrape(
  name: Parameters<typeof findExporter>[0],
  args: string[],
  { env = {}, path = '/metrics' }: { env?: Record<string, string>; path?: string } = {},
): Promise<string> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const child = await startChild({
    name,
    command: await findExporter(name),
    args: [...args, `--web.listen-address=${address}`],
    env: { PATH: '/usr/bin:/bin', ...env },
    isReady: (line) => /Listening on|Providing metrics/i.test(line),
  });
  try {
    // An exporter may print its address before it listens.
    const page = await vi.waitFor(() => fetch(`http://${address}${path}`), EVENTUALLY);
    return await page.text();
  } finally {
    await child.kill();
  }
}

/** Writes the metrics of the nightly jobs for node_exporter. */
async function writeReports(folder: string): Promise<string> {
  const lines = NIGHTLY_JOBS.flatMap((job) => [
    `switchboard_${job}_last_success_timestamp_seconds 1`,
    `switchboard_${job}_last_run_success 1`,
  ]);
  await writeFile(join(folder, 'nightly.prom'), `${lines.join('\n')}\n`);
  return folder;
}

async function scrapeCertificate(folder: string): Promise<string> {
  const [cert, key] = ['server.pem', 'server.key'].map((name) =>
    readFileSync(certificatePath(name)),
  );
  const server = createServer({ cert, key }, (_request, response) => response.end('ok'));
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const configuration = join(folder, 'blackbox.yml');
  const tls = { tls_config: { ca_file: certificatePath('authority.pem') } };
  // JSON is a subset of YAML. Debian's file has the same module without the tests’ certificate authority.
  const modules = { http_2xx: { prober: 'http', http: tls } };
  await writeFile(configuration, JSON.stringify({ modules }));
  try {
    const target = encodeURIComponent(`https://127.0.0.1:${port}/`);
    return await scrape('blackbox', [`--config.file=${configuration}`], {
      path: `/probe?module=http_2xx&target=${target}`,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Returns the metrics of exporters that the rules use, with the names of the labels in their selectors. */
function selectorsOf(file: string) {
  const text = readRootFile(`ops/prometheus/${file}`);
  const expressions = [...text.matchAll(/expr: (?:>-\n)?([^]*?)\n {8}(?=for|labels)/g)];
  return expressions.flatMap(([, expr = '']) =>
    [...expr.matchAll(/\b((?:node|pg|redis|probe|switchboard)_\w+)(?:\{([^}]*)\})?/g)].map(
      ([, name = '', labels = '']) => ({
        name,
        labels: [...labels.matchAll(/(\w+)=/g)].flatMap(([, label = '']) =>
          label === 'job' ? [] : label,
        ),
      }),
    ),
  );
}

test.each(['machine-alerts.yml', 'store-alerts.yml'])(
  'Debian’s exporters report every metric of %s with its labels',
  (file) => {
    const selectors = selectorsOf(file);
    expect(selectors.length).toBeGreaterThan(10);
    for (const { name, labels } of selectors) {
      const series = new RegExp(`^${name}(?:\\{(.*)\\})? \\S+$`, 'm').exec(exposed);
      expect(series, `no exporter reports ${name}`).not.toBeNull();
      for (const label of labels) expect(series?.[1], name).toContain(`${label}="`);
    }
  },
);

test('the exporters report the replica, the certificate and the limits of the stores', () => {
  const value = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(exposed)?.[1]);
  expect(value('pg_up')).toBe(1);
  expect(value('switchboard_postgres_replication_replicas')).toBe(1);
  expect(value('switchboard_postgres_transaction_ids_age')).toBeGreaterThan(0);
  expect(value('redis_memory_max_bytes')).toBe(100 * 1024 ** 2);
  expect(value('probe_success')).toBe(1);
  expect(value('probe_ssl_earliest_cert_expiry')).toBeGreaterThan(Date.now() / 1_000);
});
