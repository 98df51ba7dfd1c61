import { readBuildInfo } from '@switchboard/runtime';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { SessionDirectory } from './provider-sessions.ts';
import { createUnknownAccounts } from './unknown-accounts.ts';

const RESULTS = {
  claims: ['result', ['claimed', 'nothing', 'failed']],
  outcomes: [
    'outcome',
    [
      'accepted',
      'rejected',
      'withheld',
      'unknown',
      'unreachable',
      'fenced',
      'throttled',
      'busy',
      'credentials',
    ],
  ],
  lookups: ['result', ['accepted', 'ready', 'unknown', 'unresolved', 'none', 'unavailable']],
  polls: ['result', ['news', 'no_news', 'missing', 'unavailable']],
  probes: ['result', ['answered', 'throttled', 'refused', 'failed']],
  webhookAttempts: ['result', ['delivered', 'failed']],
  webhookEndpointsDisabled: ['reason', ['gone', 'failing']],
  mails: ['result', ['sent', 'refused', 'failed', 'expired']],
  swept: ['state', ['ready', 'postponed', 'inflight', 'unknown', 'accepted']],
} as const;

const SESSION_STATES = ['opening', 'bound', 'failing', 'refused', 'leaving'] as const;

/** Creates the worker's metrics. Labels have few fixed values: no workspace and no phone number. */
export function createWorkerMetrics(sources: {
  poolWaiting(): number;
  /** If absent, the metrics of sessions are 0. */
  sessions?: Pick<SessionDirectory, 'countByState' | 'countPlaces'>;
}) {
  const registry = new Registry();
  const registers = [registry];
  // Metrics of Node: event-loop lag, memory, CPU, handles.
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string) => new Counter({ name, help, registers });

  const unknownAccounts = createUnknownAccounts({ monotonic: () => performance.now() });

  const metrics = {
    registry,
    unknownAccounts,
    buildInfo: new Gauge({
      name: 'switchboard_build_info',
      help: 'Always 1; the labels name the version, the commit and the Node release of the process.',
      labelNames: ['version', 'commit', 'node'] as const,
      registers,
    }),
    claims: new Counter({
      name: 'switchboard_claims_total',
      help: 'Hints processed, by whether the message could be claimed.',
      labelNames: ['result'] as const,
      registers,
    }),
    outcomes: new Counter({
      name: 'switchboard_provider_outcomes_total',
      help: 'Provider calls, by outcome and by the type of the provider; withheld: the service did not call the provider.',
      labelNames: ['outcome', 'provider'] as const,
      registers,
    }),
    callSeconds: new Histogram({
      name: 'switchboard_provider_call_seconds',
      help: 'Time from the start of a send call to its outcome.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
      registers,
    }),
    lookups: new Counter({
      name: 'switchboard_lookups_total',
      help: 'Lookups of unknown outcomes, by the new state of the row.',
      labelNames: ['result'] as const,
      registers,
    }),
    polls: new Counter({
      name: 'switchboard_polls_total',
      help: 'Polls of unfinished messages, by result: news means that a callback was lost or late.',
      labelNames: ['result'] as const,
      registers,
    }),
    probes: new Counter({
      name: 'switchboard_provider_probes_total',
      help: 'Requests that probe whether a provider account answers sends, without sending, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    accountsPaused: new Gauge({
      name: 'switchboard_provider_accounts_paused',
      help: 'Provider accounts that receive only probes, by reason: refused credentials, or failing; the same in every worker.',
      labelNames: ['reason'] as const,
      registers,
    }),
    accounts: new Gauge({
      name: 'switchboard_provider_accounts',
      help: 'Provider accounts by the type of the provider and by state: ok, failing, refused or disabled; the same in every worker.',
      labelNames: ['provider', 'state'] as const,
      registers,
    }),
    accountsInUse: new Gauge({
      name: 'switchboard_provider_accounts_in_use',
      help: 'Provider accounts that sent messages today or yesterday (UTC), except refused ones; the same in every worker.',
      registers,
    }),
    accountsUnknown: new Gauge({
      name: 'switchboard_provider_accounts_unknown',
      help: 'Provider accounts whose calls from this worker had an unknown outcome in the last ten minutes.',
      registers,
      collect() {
        this.set(unknownAccounts.count());
      },
    }),
    duplicates: counter(
      'switchboard_duplicates_total',
      'Messages that the provider accepted twice.',
    ),
    untracked: counter(
      'switchboard_untracked_messages_total',
      'Messages found at the provider that match no row.',
    ),
    unmatchedExpired: counter(
      'switchboard_unmatched_callbacks_expired_total',
      'Callbacks deleted because no message received their identifier.',
    ),
    unmatchedMerged: counter(
      'switchboard_unmatched_callbacks_merged_total',
      'Callbacks that were merged after their message received its identifier.',
    ),
    sessionDeliveries: new Counter({
      name: 'switchboard_session_deliveries_total',
      help: 'Receipts and received messages that providers delivered in sessions of this worker, by result. The provider repeats failed and limited deliveries.',
      labelNames: ['kind', 'result'] as const,
      registers,
    }),
    sessionProblems: new Counter({
      name: 'switchboard_session_problems_total',
      help: 'Unreadable deliveries in provider sessions: receipts with an unknown state, which the timeline of the message shows, and receipts and messages without an identifier or an address, which are refused.',
      labelNames: ['kind'] as const,
      registers,
    }),
    sessions: new Gauge({
      name: 'switchboard_provider_sessions',
      help: 'Sessions with provider accounts that this worker holds, by state.',
      labelNames: ['state'] as const,
      registers,
      collect() {
        const counts = sources.sessions?.countByState();
        for (const state of SESSION_STATES) this.set({ state }, counts?.get(state) ?? 0);
      },
    }),
    sessionPlaces: new Gauge({
      name: 'switchboard_provider_session_places',
      help: 'Sessions that provider accounts permit, by whether a worker holds them; the same in every worker.',
      labelNames: ['use'] as const,
      registers,
      collect() {
        const places = sources.sessions?.countPlaces();
        this.set({ use: 'held' }, places?.held ?? 0);
        this.set({ use: 'free' }, places?.free ?? 0);
      },
    }),
    inboundFound: counter(
      'switchboard_inbound_found_total',
      'Inbound messages without a webhook that the worker imported from the provider’s list.',
    ),
    inboundUnreadable: counter(
      'switchboard_inbound_unreadable_total',
      'Inbound messages in the provider’s list that the worker could not import, counted at each read.',
    ),
    swept: new Counter({
      name: 'switchboard_swept_total',
      help: 'Due rows found by the sweeper, by state. ready: the hint did not arrive; postponed: scheduled, tried before, or delayed by a backlog.',
      labelNames: ['state'] as const,
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'switchboard_webhook_attempts_total',
      help: 'Attempts to deliver events to workspace webhooks, by result.',
      labelNames: ['result'] as const,
      registers,
    }),
    webhookDelay: new Histogram({
      name: 'switchboard_webhook_delay_seconds',
      help: 'Time from an event to the start of its first delivery to a workspace webhook.',
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600],
      registers,
    }),
    webhookEndpointsDisabled: new Counter({
      name: 'switchboard_webhook_endpoints_disabled_total',
      help: 'Endpoints of workspace webhooks that the service disabled, by reason: gone, or failing for five days.',
      labelNames: ['reason'] as const,
      registers,
    }),
    mails: new Counter({
      name: 'switchboard_mails_total',
      help: 'Attempts to send a mail to a user; failed: the mail is tried again; refused and expired: it is not.',
      labelNames: ['result'] as const,
      registers,
    }),
    directSends: counter(
      'switchboard_direct_sends_total',
      'Hints processed without the queue because it was unreachable.',
    ),
    failedWrites: counter(
      'switchboard_failed_writes_total',
      'Failed attempts to write a change to the database.',
    ),
    ready: new Gauge({
      name: 'switchboard_ready_messages',
      help: 'Messages that could be sent now and that no worker has claimed; the same in every worker.',
      registers,
    }),
    oldestReady: new Gauge({
      name: 'switchboard_oldest_ready_seconds',
      help: 'How long the oldest message of the backlog has been ready to send; the same in every worker.',
      registers,
    }),
    lastSweep: new Gauge({
      name: 'switchboard_last_sweep_timestamp_seconds',
      help: 'Time of this worker’s last sweep without an error.',
      registers,
    }),
    poolWaiting: new Gauge({
      name: 'switchboard_pool_waiting',
      help: 'Statements waiting for a connection to the database.',
      registers,
      collect() {
        this.set(sources.poolWaiting());
      },
    }),
    pending: new Gauge({
      name: 'switchboard_queue_pending',
      help: 'Jobs waiting and active in the queue, each with a few hints.',
      registers,
    }),
    waiting: new Gauge({
      name: 'switchboard_lanes_waiting',
      help: 'Hints taken from the queue that wait for a slot in this worker.',
      registers,
    }),
  };

  metrics.buildInfo.set({ ...readBuildInfo(), node: process.version }, 1);
  for (const kind of ['receipt', 'message']) {
    for (const result of ['stored', 'failed', 'limited'])
      metrics.sessionDeliveries.inc({ kind, result }, 0);
  }
  for (const reason of ['refused', 'failing']) metrics.accountsPaused.set({ reason }, 0);
  // Set to 0 at the start: a series that begins with its first count shows no increase.
  for (const [name, [label, values]] of Object.entries(RESULTS)) {
    const counted = metrics[name as keyof typeof RESULTS] as Counter;
    for (const value of values) counted.inc({ [label]: value }, 0);
  }
  return metrics;
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;
