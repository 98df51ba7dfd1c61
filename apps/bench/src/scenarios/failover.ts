import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import pg from 'pg';
import { request } from 'undici';
import { type BenchEnvironment, openBenchEnvironment } from '../environment/open-environment.ts';
import { type Figure, type RunOptions, type Scenario, latency } from '../scenario.ts';

/** Messages per second, to both providers together. */
const RATE = 40;
const REFUSING_S = 10;
/** The account that returns has its whole share after a minute. */
const RETURNING_S = 80;
const WARM_UP_S = 5;
const BASELINE_S = 10;
const SLICE_S = 5;

/** Measures how fast traffic leaves a provider that refuses connections, and how it returns. */
export const failover: Scenario = {
  name: 'failover',
  summary:
    'two providers with equal shares, one of which refuses connections for a time and then returns',

  async run(options: RunOptions) {
    const environment = await openBenchEnvironment({ ...options, workspaces: 1 });
    const client = new pg.Client({ connectionString: environment.databaseUrl });
    await client.connect();
    try {
      const { send, refuse } = await openProviders(environment);
      options.onProgress('both providers accept messages');
      await send(WARM_UP_S);
      const warmFrom = await readNow(client);
      await send(BASELINE_S);
      await untilSent(client);
      const usual = await readSwitched(client, warmFrom);

      options.onProgress('one provider refuses connections');
      await refuse(true);
      const refusedFrom = await readNow(client);
      await send(REFUSING_S);
      await untilSent(client);
      const switched = await readSwitched(client, refusedFrom);

      options.onProgress('the provider accepts connections again');
      await refuse(false);
      // A message of the account is the probe that closes the breaker.
      while (!(await hasRecovered(client))) await send(1);
      await send(RETURNING_S);
      await untilSent(client);
      const slices = await readReturned(client);
      return [...describeSwitch(switched, usual), ...describeReturn(slices)];
    } finally {
      await client.end();
      await environment.close();
    }
  },
};

interface Switched {
  /** The first refusal of the message, or its creation → accepted by the other provider. */
  ms: number;
  wasRefused: boolean;
  isAfterOpening: boolean;
}

/**
 * Starts the service with two providers, and returns functions that send messages and close a port.
 */
async function openProviders(environment: BenchEnvironment) {
  const simulator = await environment.startSimulator();
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, body?: object, token = '') => {
    const answer = await request(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (answer.statusCode > 201)
      throw new Error(`${url} responded with ${await answer.body.text()}`);
    return (await answer.body.json()) as Record<string, unknown>;
  };
  const urls = await call('GET', `${simulator.url}/simulator/provider-urls`);
  const env = {
    TWILIO_API_URL: String(urls['twilio']),
    TELNYX_API_URL: String(urls['telnyx']),
  };
  const api = await environment.startApi(env);
  await environment.startWorker(api.url, env);

  const [workspace] = environment.workspaces;
  if (workspace === undefined) throw new Error('there is no workspace');
  const { workspaceId, sessionToken, apiKey } = workspace;
  const root = `${api.url}/api/ui/workspaces/${workspaceId}`;
  const account = await call('POST', `${simulator.url}/simulator/accounts`, { type: 'telnyx' });
  const { credentials } = account;
  const other = await call(
    'POST',
    `${root}/providers`,
    { type: 'telnyx', credentials, on_unknown: 'fail' },
    sessionToken,
  );
  const number = { number: '+15005550099', provider_id: other['id'] };
  await call('POST', `${root}/numbers`, number, sessionToken);
  const { data } = await call('GET', `${root}/providers`, undefined, sessionToken);
  const providers = (data as { id: string }[]).map(({ id }) => ({ provider_id: id, weight: 1 }));
  const routing = { rules: [{ prefix: '', providers }], failover: true };
  await call('PUT', `${root}/routing`, routing, sessionToken);

  let sent = 0;
  return {
    /** Sends messages at the rate, each to a new recipient. */
    async send(seconds: number): Promise<void> {
      const startedAt = performance.now();
      const pending: Promise<unknown>[] = [];
      for (let n = 0; n < seconds * RATE; n += 1) {
        await delay(Math.max(0, startedAt + (n * 1_000) / RATE - performance.now()));
        sent += 1;
        const to = `+1202${String(5_000_000 + sent)}`;
        pending.push(call('POST', `${api.url}/api/messages`, { to, body: 'Hello' }, apiKey));
      }
      await Promise.all(pending);
    },
    async refuse(isRefusing: boolean): Promise<void> {
      const fault = { provider: 'twilio', refuse_connections: isRefusing ? 1 : 0 };
      await call('PUT', `${simulator.url}/simulator/behaviour`, fault);
    },
  };
}

async function readNow(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now ?? new Date();
}

const SEND_TIMEOUT_MS = 120_000;

/**
 * Waits until all messages are sent. A message whose connection was lost has an unknown outcome and
 * stays with its provider.
 */
async function untilSent(client: pg.Client): Promise<void> {
  const deadline = performance.now() + SEND_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query<{ dispatch: string; n: number }>(
      `SELECT dispatch, count(*)::int AS n FROM messages
       WHERE dispatch IN ('ready', 'inflight') GROUP BY 1`,
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) {
      const left = rows.map(({ dispatch, n }) => `${n} ${dispatch}`).join(', ');
      throw new Error(`Messages were not sent within two minutes: ${left}`);
    }
    await delay(50);
  }
}

async function hasRecovered(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM provider_accounts
     WHERE type = 'twilio' AND recovered_at IS NOT NULL AND failing_since IS NULL`,
  );
  return rowCount !== 0;
}

/** Reads the messages created since a time, with times from the events of their timelines. */
async function readSwitched(client: pg.Client, since: Date): Promise<Switched[]> {
  const { rows } = await client.query<Switched>(
    `SELECT f.at IS NOT NULL AS "wasRefused", m.created_at > p.failing_since AS "isAfterOpening",
       extract(epoch FROM (a.at - COALESCE(f.at, m.created_at)))::float8 * 1000 AS ms
     FROM messages m
     JOIN message_events a ON a.message_id = m.id AND a.type = 'provider_accepted'
     LEFT JOIN LATERAL (
       SELECT min(at) AS at FROM message_events e
       WHERE e.message_id = m.id AND e.type = 'attempt_failed'
     ) f ON true
     CROSS JOIN (SELECT failing_since FROM provider_accounts WHERE type = 'twilio') p
     WHERE m.created_at >= $1`,
    [since],
  );
  return rows;
}

/** The usual latency, with two providers that accept, shows how busy the machine was. */
function describeSwitch(all: readonly Switched[], usual: readonly Switched[]): Figure[] {
  const before = usual.map(({ ms }) => ms);
  const refused = all.filter(({ wasRefused }) => wasRefused).map(({ ms }) => ms);
  const after = all.filter(({ isAfterOpening }) => isAfterOpening).map(({ ms }) => ms);
  return [
    latency('both accept: created → accepted by a provider, p50', percentile(before, 0.5)),
    latency('both accept: created → accepted by a provider, p95', percentile(before, 0.95)),
    latency(
      'first refusal → accepted by the other provider, p95',
      percentile(refused, 0.95),
      5_000,
    ),
    latency('breaker open: created → accepted by the other provider, p50', percentile(after, 0.5)),
    latency(
      'breaker open: created → accepted by the other provider, p95',
      percentile(after, 0.95),
      100,
    ),
    {
      name: 'breaker open: p95 relative to the p95 when both accept',
      value: percentile(after, 0.95) / percentile(before, 0.95),
      unit: 'times',
      goal: null,
    },
    { name: 'messages that were refused', value: refused.length, unit: 'count', goal: null },
    { name: 'messages with the breaker open', value: after.length, unit: 'count', goal: null },
  ];
}

/**
 * Reads how many of the messages since the recovery went to the returned provider, in slices of
 * seconds.
 */
async function readReturned(client: pg.Client): Promise<{ own: number; all: number }[]> {
  const { rows } = await client.query<{ own: number; all: number }>(
    `SELECT count(*) FILTER (WHERE m.provider_id = p.id)::int AS own,
       count(*)::int AS "all"
     FROM messages m
     CROSS JOIN (SELECT id, recovered_at FROM provider_accounts WHERE type = 'twilio') p
     WHERE m.created_at >= p.recovered_at
     GROUP BY floor(extract(epoch FROM (m.created_at - p.recovered_at)) / $1)
     ORDER BY floor(extract(epoch FROM (m.created_at - p.recovered_at)) / $1)`,
    [SLICE_S],
  );
  return rows;
}

function describeReturn(slices: readonly { own: number; all: number }[]): Figure[] {
  // The last slice ends with the run, and a share of a few messages means nothing.
  const whole = slices.filter(({ all }) => all > (RATE * SLICE_S) / 2);
  const shares = whole.map(({ own, all }) => own / all);
  const last = shares.slice(-3);
  const steady = last.reduce((sum, share) => sum + share, 0) / last.length;
  return [
    {
      name: `share of the provider in its first ${SLICE_S} s, relative to its steady share`,
      value: (shares[0] ?? Number.NaN) / steady,
      unit: 'times',
      goal: { atMost: 0.5 },
    },
    {
      name: `largest share in ${SLICE_S} s, relative to its steady share`,
      value: Math.max(...shares) / steady,
      unit: 'times',
      goal: { atMost: 1.5 },
    },
    { name: 'steady share after a minute', value: steady, unit: 'times', goal: { atLeast: 0.4 } },
  ];
}
