import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { addAccounts, callAtRate, createCarrier } from '@switchboard/testing';
import type { BenchEnvironment } from '../environment/open-environment.ts';
import type { Run, Scenario } from '../scenario.ts';

/** Messages per second, to both providers together. */
const RATE = 40;
const WARM_UP_S = 5;
const BASELINE_S = 10;
const REFUSING_S = 10;
/** The account that returns has its whole share after a minute. */
const RETURNING_S = 80;
const SLICE_S = 5;
const SEND_TIMEOUT_MS = 120_000;

/** Measures how fast traffic leaves a provider that refuses connections, and how it returns. */
export const failover: Scenario = {
  name: 'failover',
  summary:
    'two providers with equal shares, one of which refuses connections for a time and then returns',
  async run({ open, progress, report, latencies }) {
    const environment = await open({ workspaces: 1 });
    const { query } = environment;
    const { send, refuse } = await openProviders(environment);
    const readNow = async () => (await query<{ now: Date }>('SELECT now()'))[0]?.now;
    progress('both providers accept messages');
    await send(WARM_UP_S);
    const warmFrom = await readNow();
    await send(BASELINE_S);
    await untilSent(environment);
    const usual = await readSwitched(environment, warmFrom);

    progress('one provider refuses connections');
    await refuse(true);
    const refusedFrom = await readNow();
    await send(REFUSING_S);
    await untilSent(environment);
    const switched = await readSwitched(environment, refusedFrom);
    const before = usual.map(({ ms }) => ms);
    const refused = switched.filter(({ wasRefused }) => wasRefused).map(({ ms }) => ms);
    const after = switched.filter(({ isAfterOpening }) => isAfterOpening).map(({ ms }) => ms);
    // The usual latency shows how busy the machine was.
    latencies('both accept: created → accepted by a provider', before, [0.5, 0.95]);
    latencies('first refusal → accepted by the other provider', refused, [0.95]);
    latencies('breaker open: created → accepted by the other provider', after, [0.5, 0.95]);
    const [usualP95, openP95] = [percentile(before, 0.95), percentile(after, 0.95)];
    report('breaker open: p95 relative to the p95 when both accept', 'times', openP95 / usualP95);
    report('messages that were refused', 'count', refused.length);
    report('messages with the breaker open', 'count', after.length);

    progress('the provider accepts connections again');
    await refuse(false);
    const recovered = `SELECT FROM provider_accounts
       WHERE type = 'twilio' AND recovered_at IS NOT NULL AND failing_since IS NULL`;
    // A message of the account is the probe that closes the breaker.
    while ((await query(recovered)).length === 0) await send(1);
    await send(RETURNING_S);
    await untilSent(environment);
    await reportReturn(environment, report);
  },
};

/** Starts the service with two providers, and returns functions that send messages and close a port. */
async function openProviders(environment: BenchEnvironment) {
  const simulator = await environment.startSimulator();
  const { http, workspace } = environment;
  const carrier = createCarrier(simulator.url, http);
  const urls = await http.call<Record<string, string>>(`${simulator.url}/simulator/provider-urls`);
  const env = { TWILIO_API_URL: urls['twilio'], TELNYX_API_URL: urls['telnyx'] };
  const { url } = await environment.startApi(env);
  await environment.startWorker(url, env);

  await addAccounts(
    { ...workspace, onUnknown: 'fail' },
    { providers: ['telnyx'], carrier, smppLink: null, http, apiUrl: url, firstNumber: 100 },
  );

  let sent = 0;
  return {
    /** Sends messages at the rate, each to a new recipient. */
    async send(seconds: number): Promise<void> {
      const stop = callAtRate(RATE, () => {
        sent += 1;
        const body = { to: `+1202${5_000_000 + sent}`, body: 'Hello' };
        return http.call(`${url}/api/messages`, { method: 'POST', token: workspace.apiKey, body });
      });
      await delay(seconds * 1_000);
      await stop();
    },
    refuse: (isRefusing: boolean) =>
      carrier.behave({ refuse_connections: isRefusing ? 1 : 0 }, 'twilio'),
  };
}

/**
 * Waits until all messages are sent. A message whose connection was lost has an unknown outcome and
 * stays with its provider.
 */
async function untilSent({ query }: BenchEnvironment): Promise<void> {
  const deadline = performance.now() + SEND_TIMEOUT_MS;
  for (;;) {
    const [row] = await query<{ left: number }>(
      `SELECT count(*)::int AS left FROM messages WHERE dispatch IN ('ready', 'inflight')`,
    );
    if (row?.left === 0) return;
    if (performance.now() > deadline)
      throw new Error(`${row?.left} messages were not sent within two minutes`);
    await delay(50);
  }
}

/**
 * Reads the messages created since a time: from the first refusal of the message, or its creation, to the
 * acceptance by a provider, with times from the events of their timelines.
 */
function readSwitched({ query }: BenchEnvironment, since: Date | undefined) {
  return query<{ ms: number; wasRefused: boolean; isAfterOpening: boolean }>(
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
}

/** Reports the shares of the returned provider since its recovery, in slices of seconds. */
async function reportReturn({ query }: BenchEnvironment, report: Run['report']): Promise<void> {
  const slices = await query<{ own: number; all: number }>(
    `SELECT count(*) FILTER (WHERE m.provider_id = p.id)::int AS own,
       count(*)::int AS "all"
     FROM messages m
     CROSS JOIN (SELECT id, recovered_at FROM provider_accounts WHERE type = 'twilio') p
     WHERE m.created_at >= p.recovered_at
     GROUP BY floor(extract(epoch FROM (m.created_at - p.recovered_at)) / $1)
     ORDER BY floor(extract(epoch FROM (m.created_at - p.recovered_at)) / $1)`,
    [SLICE_S],
  );
  // The last slice ends with the run, and a share of a few messages means nothing.
  const whole = slices.filter(({ all }) => all > (RATE * SLICE_S) / 2);
  const shares = whole.map(({ own, all }) => own / all);
  const last = shares.slice(-3);
  const steady = last.reduce((sum, share) => sum + share, 0) / last.length;
  const first = percentile(shares.slice(0, 1), 0) / steady;
  const relative = 'relative to its steady share';
  report(`share of the provider in its first ${SLICE_S} s, ${relative}`, 'times', first);
  report(`largest share in ${SLICE_S} s, ${relative}`, 'times', Math.max(...shares) / steady);
  report('steady share after a minute', 'times', steady);
}
