import { once } from 'node:events';
import { createConnection } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  EVENTUALLY,
  type ChildProcess,
  type PostgresServer,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startPostgres,
} from '@switchboard/testing';
import pg from 'pg';
import { LIMITS, TO, listBodies, sendTo, startLoad, timed } from './start-load.ts';
import { type ApiResponse, ask, expectRefusal } from './start-service.ts';

async function startOnOwnDatabase(): Promise<{
  postgres: PostgresServer;
  api: ChildProcess;
  workspace: WorkspaceFixture;
}> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const workspace = await createWorkspaceFixture(postgres.url);
  const api = await startApi({ DATABASE_URL: postgres.url, ...LIMITS });
  onTestFinished(() => api.stop());
  return { postgres, api, workspace };
}

/** Sends every kind of request that needs the database and expects 503. */
async function expectAllUnavailable(url: string, workspace: WorkspaceFixture): Promise<void> {
  const { apiKey, sessionToken, workspaceId, email, password } = workspace;
  const responses = [
    ask(url, '/api/messages', { token: apiKey, json: { to: TO, body: 'away' } }),
    ask(url, '/api/messages/batch', { token: apiKey, json: { to: [TO], body: 'away' } }),
    ask(url, '/api/messages', { token: apiKey }),
    ask(url, '/api/workspace', { method: 'PATCH', token: apiKey, json: { name: 'x' } }),
    ask(url, `/api/ui/workspaces/${workspaceId}/messages`, { token: sessionToken }),
    ask(url, '/api/ui/me', { token: sessionToken }),
    ask(url, '/api/ui/sessions', { json: { email, password } }),
    ask(url, '/api/ui/users', { json: { email: 'a@b.example', password, name: 'x' } }),
    ask(url, '/health/ready'),
  ];
  for (const response of responses) {
    const { result, ms } = await timed(response);
    expectRefusal(result, 503, 'service_unavailable');
    expect(Number(result.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(ms).toBeLessThan(20_000);
  }
}

describe('database outages', () => {
  test('while the database is stopped, requests are answered with 503 immediately, and the API recovers on its own', async () => {
    const { postgres, api, workspace } = await startOnOwnDatabase();
    expect((await sendTo(api.url, workspace, 'before')).status).toBe(201);
    const readMetrics = async () => (await ask(api.url, '/metrics')).text;
    // A scrape does not wait for a check that takes longer than 200 ms.
    await expect.poll(readMetrics, EVENTUALLY).toContain('\nswitchboard_ready 1\n');
    await postgres.stop();
    await expectAllUnavailable(api.url, workspace);
    // When a proxy takes the API out of service, only this metric shows it.
    await expect.poll(readMetrics, EVENTUALLY).toContain('\nswitchboard_ready 0\n');
    expectRefusal(await ask(api.url, '/health/ready'), 503, 'service_unavailable', /database/);
    expect((await ask(api.url, '/health/live')).status).toBe(200);
    // Requests that need no database are answered normally.
    expectRefusal(await ask(api.url, '/api/messages'), 401, 'unauthorized');
    expectRefusal(await ask(api.url, '/api/nope'), 404, 'not_found');
    await postgres.start();
    await expect
      .poll(async () => (await sendTo(api.url, workspace, 'after')).status, EVENTUALLY)
      .toBe(201);
    await expect
      .poll(async () => (await ask(api.url, '/health/ready')).status, EVENTUALLY)
      .toBe(200);
    expect(new Set(await listBodies(postgres.url))).toEqual(new Set(['before', 'after']));
  });

  test('after a crash of the database under load, every 201 has exactly one row, and retries with the Idempotency-Key succeed', async () => {
    const { postgres, api, workspace } = await startOnOwnDatabase();
    const load = startLoad(8, (body) => sendTo(api.url, workspace, body, `key-${body}`));
    const { responses } = load;
    await expect.poll(() => responses.size, EVENTUALLY).toBeGreaterThan(50);
    await postgres.kill();
    await expect
      .poll(() => [...responses.values()].some(({ status }) => status === 503), EVENTUALLY)
      .toBe(true);
    await postgres.start();
    const isAccepted = ({ status }: ApiResponse) => status === 201;
    const acceptedThen = [...responses.values()].filter(isAccepted).length;
    await expect
      .poll(() => [...responses.values()].filter(isAccepted).length, EVENTUALLY)
      .toBeGreaterThan(acceptedThen + 50);
    await load.stop();

    const stored = new Set(await listBodies(postgres.url));
    const by = (status: number) =>
      [...responses].filter(([, response]) => response.status === status).map(([body]) => body);
    expect(by(201).filter((body) => !stored.has(body))).toEqual([]);
    expect(by(503).filter((body) => stored.has(body))).toEqual([]);
    const doubtful = by(500);
    for (const body of doubtful) {
      expect(responses.get(body)?.json).toMatchObject({
        error: 'send_failed',
        detail: expect.stringContaining('Idempotency-Key'),
      });
    }
    expect(by(201).length + by(503).length + doubtful.length).toBe(responses.size);

    for (const body of [...doubtful, ...by(503)]) {
      expect((await sendTo(api.url, workspace, body, `key-${body}`)).status).toBe(201);
    }
    const bodies = await listBodies(postgres.url);
    expect(bodies.toSorted()).toEqual([...responses.keys()].toSorted());
  });

  test('a send that waits for the provider while the database stops is not reported as refused', async () => {
    const { postgres, api, workspace } = await startOnOwnDatabase();
    const sendWaiting = (body: string, headers: Record<string, string>) =>
      ask(api.url, '/api/messages', {
        token: workspace.apiKey,
        json: { to: TO, body },
        headers: { prefer: 'wait=20', ...headers },
      });
    // No worker runs, so only the timeout or the outage ends the wait.
    const plain = sendWaiting('plain', {});
    const keyed = sendWaiting('keyed', { 'idempotency-key': 'waits' });
    await expect
      .poll(async () => (await listBodies(postgres.url)).toSorted(), EVENTUALLY)
      .toEqual(['keyed', 'plain']);
    await postgres.stop();

    expect(await plain).toMatchObject({ status: 201, json: { status: 'queued' } });
    expectRefusal(await keyed, 500, 'send_failed', /stored; retry with the same Idempotency-Key/);
    await expect
      .poll(() => api.logs.filter((line) => line.includes('"part":"provider wait"')), EVENTUALLY)
      .toHaveLength(1);
  });

  test('while the database hangs, requests are answered in time, every 201 has a row, and the API recovers', async () => {
    const { postgres, api, workspace } = await startOnOwnDatabase();
    expect((await sendTo(api.url, workspace, 'before')).status).toBe(201);
    await postgres.pause();
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, n) => timed(sendTo(api.url, workspace, `hung ${n}`))),
    );
    // Prometheus gives up a scrape after ten seconds, and then no metric shows what is wrong.
    const { result: scraped, ms: scrapeMs } = await timed(ask(api.url, '/metrics'));
    expect(scraped.text).toContain('\nswitchboard_ready 0\n');
    expect(scrapeMs).toBeLessThan(10_000);
    postgres.resume();
    const mayBeStored = new Set<string>();
    for (const [n, { result, ms }] of responses.entries()) {
      // Its statement was written to a connection that the API had open.
      const isInDoubt = result.status === 500;
      if (isInDoubt) mayBeStored.add(`hung ${n}`);
      if (isInDoubt) expectRefusal(result, 500, 'send_failed', 'may have been stored');
      else expectRefusal(result, 503, 'service_unavailable');
      expect(ms).toBeLessThan(20_000);
    }
    await expect
      .poll(async () => (await sendTo(api.url, workspace, 'after')).status, EVENTUALLY)
      .toBe(201);
    const stored = (await listBodies(postgres.url)).filter((body) => body.startsWith('hung'));
    expect(stored.filter((body) => !mayBeStored.has(body))).toEqual([]);
  });

  test('a full disk of the database is answered with 503, and the API recovers', async () => {
    const { postgres, api, workspace } = await startOnOwnDatabase();
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    onTestFinished(() => client.end());
    // Raises PostgreSQL's error for a full disk in the statement that would raise it.
    await client.query(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON message_records EXECUTE FUNCTION full_disk()`);
    expectRefusal(await sendTo(api.url, workspace, 'full'), 503, 'service_unavailable');
    await client.query('DROP TRIGGER full_disk ON message_records');
    expect((await sendTo(api.url, workspace, 'room')).status).toBe(201);
    expect(await listBodies(postgres.url)).toEqual(['room']);
  });
});

test('an API that is stopped under load exits cleanly, and every accepted message is stored', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const workspace = await createWorkspaceFixture(database.url);
  const api = await startApi({ DATABASE_URL: database.url, ...LIMITS });
  const load = startLoad(8, (body) => sendTo(api.url, workspace, body));
  await expect.poll(() => load.responses.size, EVENTUALLY).toBeGreaterThan(50);
  await api.stop();
  await load.stop();
  expect(new Set([...load.responses.values()].map(({ status }) => status))).toEqual(new Set([201]));
  const stored = new Set(await listBodies(database.url));
  expect([...load.responses.keys()].filter((body) => !stored.has(body))).toEqual([]);
  // A request without a response did not reach the API.
  expect([...load.failures.keys()].filter((body) => stored.has(body))).toEqual([]);
});

test('an API that is stopped does not wait for idle connections', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const api = await startApi({ DATABASE_URL: database.url });
  const silent = createConnection(Number(new URL(api.url).port), '127.0.0.1');
  onTestFinished(() => void silent.destroy());
  await once(silent, 'connect');
  // Rejects if the API waits until its timeout for the connection to close.
  await expect(api.stop()).resolves.toBeUndefined();
});
