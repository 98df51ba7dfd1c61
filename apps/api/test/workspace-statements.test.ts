import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, createClient } from '@switchboard/client';
import {
  EVENTUALLY,
  createWorkspaceFixture,
  startApi,
  startPostgres,
  startRedis,
  startSimulator,
  startWorker,
} from '@switchboard/testing';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ask } from './start-service.ts';

const OURS = '+15558673333';
const THEIRS = '+15558674444';

/** Tables without a workspace: those of users, and those of processes. */
const WITHOUT_WORKSPACE = new Set([
  'users',
  'sessions',
  'account_tokens',
  'second_factors',
  'recovery_codes',
  'user_identities',
  'account_changes',
  'mails',
  'event_epoch',
  'running_processes',
]);

type Form = readonly [statement: RegExp, reason: string];

/** The time of each row that a worker deletes or takes when it is due, in all workspaces. */
const DUE = {
  erasures: 'next_step_at',
  idempotency_keys: 'created_at',
  long_inbound_messages: 'due_at',
  opt_ins: 'opted_in_at',
  provider_accounts: 'inbound_check_at',
  provider_problems: 'latest_at',
  provider_session_leases: 'leased_until',
  session_deliveries: 'received_at',
  unmatched_callbacks: 'received_at',
  'unmatched_callbacks o': 'match_at',
  webhook_batches: 'claimed_at',
  webhook_deliveries: 'next_attempt_at',
  workspaces: 'next_step_at',
};

/**
 * The statements that may find rows without a workspace. Each is right if every database with workspaces runs it alone,
 * for the workspaces that it has. A worker runs these after its start, and then again and again.
 */
const PERIODIC: readonly Form[] = [
  [/FROM message_progress m .*\(m\.workspace_id, m\.id\) > \(/, 'a new queue gets all hints'],
  [/^SELECT id, .* FROM provider_accounts p WHERE/, 'workers look after all accounts'],
  [/FROM provider_accounts p WHERE p\.type = ANY/, 'workers hold sessions with all accounts'],
  [/FROM webhook_endpoints WHERE enabled/, 'workers look for endpoints of all workspaces'],
  [/FROM message_redactions WHERE next_attempt_at <=/, 'workers look for copies to remove'],
  [/FROM workspaces w WHERE EXISTS/, 'looks for workspaces with messages to index'],
  [/FROM message_chunks WHERE rule </, 'looks for chunks of all workspaces to write again'],
  [/FROM message_breakdowns .* FROM message_recounts WHERE day </, 'looks for days to count'],
  [/^UPDATE provider_session_leases SET leased_until = now/, 'the clock was set back for all'],
  [/FROM due_messages m .* SET due_at = o\.latest/, 'the clock was set back for all'],
  [/^SELECT count.* FROM due_messages m/, 'a metric counts the backlog of all workspaces'],
  [/^SELECT count.* FROM provider_accounts p WHERE/, 'a metric counts the accounts in use'],
  [/FROM provider_accounts p GROUP BY 1/, 'a metric counts the accounts by state'],
  ...Object.entries(DUE).map(([table, column]): Form => [
    new RegExp(String.raw`(?=.*SKIP LOCKED).*FROM ${table} .*\b${column} <=? `),
    'deletes or takes what is due in all workspaces',
  ]),
];

/** The same for the statements that have another cause. */
const CAUSED: readonly Form[] = [
  [/FROM api_keys WHERE key_hash = ANY/, 'a request has only its key'],
  [
    /(FROM messages m .*WHERE m|unmatched_callbacks o ON o)\.provider_sid = /,
    'workspaces may share an account at a vendor',
  ],
  [/UPDATE webhook_endpoints SET lease_until/, 'a worker that stops releases its leases'],
];

/** A condition with a workspace that the caller gives, or a new row with one. A join of two tables is none. */
const NAMES_WORKSPACE = [
  /workspace_id"?\)? (=|IN|>) (ANY ?)?\(*(SELECT )?\$/i,
  /unnest\(.*\$.*\) AS \w+\([^)]*workspace_id/i,
  /\(workspace_id, [^)]*\) (IN|>) \(\(?\$/i,
  /workspace_id = \w+\."workspaceId"/,
  /INSERT INTO \S+ (AS \w+ )?\([^)]*workspace_id/i,
  /\bworkspaces"?( w)? WHERE \(?("public"\."workspaces"\.)?"?(w\.)?id"? (=|IN) \(?\$/i,
];

async function start() {
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const postgres = await startPostgres({ settings });
  onTestFinished(() => postgres.close());
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  // The server may close its connections before the pool does.
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  await pool.query('CREATE SCHEMA statements');
  await pool.query('CREATE EXTENSION pg_stat_statements SCHEMA statements');
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const workspace = await createWorkspaceFixture(postgres.url, { from: null });
  await pool.query('SELECT statements.pg_stat_statements_reset()');
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    TWILIO_API_URL: simulator.url,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    SWEEP_MS: '200',
  };
  const api = await startApi(env);
  onTestFinished(() => api.stop());
  const worker = await startWorker({ ...env, PUBLIC_URL: api.url });
  onTestFinished(() => worker.stop());
  const client = createClient({ baseUrl: api.url, token: workspace.apiKey });
  return { pool, simulator, api, worker, workspace, client };
}

/** Receives webhooks, and returns the types of their events. */
async function startReceiver(): Promise<{ url: string; types: Set<string> }> {
  const types = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      types.add((JSON.parse(body) as { type: string }).type);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, types };
}

async function readMessages(client: Client) {
  const page = await client('GET /api/messages', { query: {} });
  if (!page.ok) throw new Error(page.detail);
  return page.data.messages;
}

test('each statement of the path of a message names a workspace, or is on the list of those that search all workspaces', async () => {
  const { pool, simulator, api, worker, workspace, client } = await start();
  const receiver = await startReceiver();
  const added = await ask(api.url, '/api/numbers', {
    token: workspace.apiKey,
    json: { number: OURS },
  });
  expect(added.status).toBe(201);
  const endpoint = await ask(api.url, '/api/webhook-endpoints', {
    token: workspace.apiKey,
    json: { url: receiver.url },
  });
  expect(endpoint.status).toBe(201);

  const sent = await client('POST /api/messages', { body: { to: THEIRS, body: 'Hello' } });
  if (!sent.ok) throw new Error(sent.detail);
  await ask(simulator.url, '/simulator/inbound', {
    json: { from: THEIRS, to: OURS, body: 'Hi' },
  });
  await vi.waitFor(async () => {
    const messages = await readMessages(client);
    expect(messages.map(({ status }) => status).toSorted()).toEqual(['delivered', 'received']);
    expect([...receiver.types].toSorted()).toEqual([
      'message.created',
      'message.received',
      'message.updated',
    ]);
  }, EVENTUALLY);
  const read = await client('GET /api/messages/{messageId}', {
    params: { messageId: sent.data.id },
  });
  expect(read.ok).toBe(true);

  const find = await createFinder(pool);
  // All periodic work has been done once, so the statements do not depend on how long this test takes.
  await vi.waitFor(async () => expect(unseenOf(PERIODIC, await find())).toEqual([]), EVENTUALLY);
  await worker.stop();
  const found = await find();
  // The statements that store, claim, change, receive and deliver.
  for (const table of ['message_records', 'message_events', 'webhook_batches']) {
    expect(found.some((statement) => statement.includes(`INSERT INTO ${table} `))).toBe(true);
  }
  expect(found.some((statement) => statement.includes('UPDATE message_progress m SET'))).toBe(true);

  expect(unseenOf(CAUSED, found)).toEqual([]);
  const known = [...NAMES_WORKSPACE, ...[...PERIODIC, ...CAUSED].map(([form]) => form)];
  expect(found.filter((statement) => !known.some((form) => form.test(statement)))).toEqual([]);
});

function unseenOf(forms: readonly Form[], statements: readonly string[]): RegExp[] {
  return forms.flatMap(([form]) => (statements.some((text) => form.test(text)) ? [] : [form]));
}

/** Returns the function that lists the statements with a table that belongs to workspaces. */
async function createFinder(pool: pg.Pool): Promise<() => Promise<string[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE '\\_%'`,
  );
  const ofWorkspace = tables.flatMap(({ name }) => (WITHOUT_WORKSPACE.has(name) ? [] : [name]));
  const mentions = new RegExp(
    String.raw`(FROM|JOIN|UPDATE|INTO)\s+("public"\.)?"?(${['messages', ...ofWorkspace].join('|')})\b`,
  );
  return async () => {
    const { rows } = await pool.query<{ query: string }>(
      `SELECT DISTINCT query FROM statements.pg_stat_statements s
       JOIN pg_database d ON d.oid = s.dbid AND d.datname = current_database()
       WHERE query !~ 'pg_stat_statements'`,
    );
    const statements = rows.map(({ query }) => query.replaceAll(/--[^\n]*|\s+/g, ' '));
    return statements.filter((statement) => mentions.test(statement));
  };
}
