// Each series has 40 minutes of samples, one a minute.
const api = 'job="switchboard-api",instance="a"';
const worker = 'job="switchboard-worker",instance="w"';
const SENDS = '/api/messages';
const WEBHOOKS = '/api/webhooks/twilio/:workspaceId/status';

const gauge = (name, labels) => `${name}{${labels}}`;
const counter = (name, label, value) => `switchboard_${name}_total{${worker},${label}="${value}"}`;
const callbacks = (result) => `switchboard_status_callbacks_total{${api},result="${result}"}`;
const paused = (reason) => `switchboard_provider_accounts_paused{${worker},reason="${reason}"}`;
const outcomes = (outcome) => counter('provider_outcomes', 'outcome', outcome);
const outcomesOf = (provider, outcome) =>
  `switchboard_provider_outcomes_total{${worker},outcome="${outcome}",provider="${provider}"}`;
const accounts = (provider, state) =>
  `switchboard_provider_accounts{${worker},provider="${provider}",state="${state}"}`;
const responses = (route, status) =>
  `switchboard_http_request_seconds_count{${api},method="POST",route="${route}",status="${status}"}`;
const within = (route, status, le) =>
  responses(route, status).replace('_count{', '_bucket{').replace('}', `,le="${le}"}`);

// `0+60x40` starts at 0 and grows by 60 a minute, 40 times. `5x40` stays at 5.
export const ruleFile = 'alerts.yml';

/** Another account sends the messages of Twilio. */
const SHARE_DROPPED = {
  [outcomes('accepted')]: '_x40',
  [outcomesOf('twilio', 'accepted')]: '0+300x12 3600x28',
  [outcomesOf('telnyx', 'accepted')]: '0+300x12 3600+600x28',
  [accounts('twilio', 'ok')]: '1x40',
  [accounts('telnyx', 'ok')]: '1x40',
};

export const healthy = {
  [gauge('switchboard_ready', api)]: '1x40',
  [gauge('up', api)]: '1x40',
  [gauge('up', worker)]: '1x40',
  [gauge('process_start_time_seconds', worker)]: '1000x30 1500x10',
  [responses(SENDS, 201)]: '0+600x40',
  [responses(SENDS, 503)]: '0x40',
  [within(SENDS, 201, '0.1')]: '0+600x40',
  [within(SENDS, 201, '0.5')]: '0+600x40',
  [within(SENDS, 201, '1')]: '0+600x40',
  [within(SENDS, 201, '+Inf')]: '0+600x40',
  [responses(WEBHOOKS, 403)]: '0x40',
  [within(WEBHOOKS, 200, '0.1')]: '0+600x40',
  [within(WEBHOOKS, 200, '10')]: '0+600x40',
  [within(WEBHOOKS, 200, '+Inf')]: '0+600x40',
  [gauge('switchboard_oldest_ready_seconds', worker)]: '1x40',
  [gauge('switchboard_last_sweep_timestamp_seconds', worker)]: '0+60x40',
  [outcomes('accepted')]: '0+600x40',
  [outcomes('unknown')]: '0+1x40',
  [outcomes('unreachable')]: '0+2x40',
  [outcomes('throttled')]: '0+2x40',
  [outcomes('credentials')]: '0x40',
  [paused('failing')]: '0x40',
  [gauge('switchboard_provider_accounts_in_use', worker)]: '10x40',
  [gauge('switchboard_provider_accounts_unknown', worker)]: '1x40',
  [paused('refused')]: '0x40',
  [counter('lookups', 'result', 'unresolved')]: '0x40',
  [gauge('switchboard_duplicates_total', worker)]: '0x40',
  [gauge('switchboard_connections_closed_total', api)]: '0x40',
  [gauge('switchboard_untracked_messages_total', worker)]: '0x40',
  [gauge('switchboard_inbound_unreadable_total', worker)]: '0x40',
  [gauge('switchboard_unmatched_callbacks_expired_total', worker)]: '0x40',
  [callbacks('duplicate')]: '0x40',
  [callbacks('recorded')]: '0+600x40',
  [counter('polls', 'result', 'news')]: '0+1x40',
  [gauge('switchboard_direct_sends_total', worker)]: '0x40',
  [gauge('switchboard_failed_hints_total', api)]: '0x40',
  [counter('swept', 'state', 'ready')]: '0+3x40',
  [counter('swept', 'state', 'postponed')]: '0+300x40',
  [counter('swept', 'state', 'inflight')]: '0x40',
  [counter('claims', 'result', 'claimed')]: '0+600x40',
  [gauge('switchboard_failed_writes_total', worker)]: '0x40',
  [gauge('switchboard_pool_waiting', api)]: '0x40',
  [gauge('nodejs_eventloop_lag_p99_seconds', api)]: '0.02x40',
  [gauge('switchboard_live_lag_events', api)]: '3x40',
  [gauge('switchboard_replica_lag_seconds', api)]: '0.02x40',
  [gauge('switchboard_replica_max_lag_seconds', api)]: '5x40',
  [gauge('switchboard_sockets', api)]: '100x40',
  [counter('webhook_endpoints_disabled', 'reason', 'failing')]: '0x40',
};

/** Each fault, with the alerts that it causes. */
export const faults = [
  { alerts: ['NoApi', 'ProcessDown'], fault: { [gauge('up', api)]: '0x40' } },
  { alerts: ['NoWorker', 'ProcessDown'], fault: { [gauge('up', worker)]: '0x40' } },
  { alerts: ['NotReady'], fault: { [gauge('switchboard_ready', api)]: '0x40' } },
  {
    // One refusal and one unknown outcome at four sends a minute must not page.
    alerts: [],
    fault: {
      [responses(SENDS, 201)]: '0+4x40',
      [responses(SENDS, 503)]: '0x30 1x10',
      [within(SENDS, 201, '0.1')]: '0+4x40',
      [within(SENDS, 201, '0.5')]: '0+4x40',
      [within(SENDS, 201, '1')]: '0+4x40',
      [within(SENDS, 201, '+Inf')]: '0+4x40',
      [outcomes('accepted')]: '0+4x40',
      [outcomes('unknown')]: '0x29 1x11',
      [outcomes('unreachable')]: '0x40',
      [outcomes('throttled')]: '0x40',
      [counter('swept', 'state', 'ready')]: '0x40',
      [counter('claims', 'result', 'claimed')]: '0+4x40',
    },
  },
  {
    alerts: ['ProcessRestarts'],
    fault: { [gauge('process_start_time_seconds', worker)]: '1000x25 1500x2 1600x2 1700x11' },
  },
  {
    alerts: ['WebhookEndpointDisabled'],
    fault: { [counter('webhook_endpoints_disabled', 'reason', 'failing')]: '0x30 1x10' },
  },
  { alerts: ['SendsRefused'], fault: { [responses(SENDS, 503)]: '0+30x40' } },
  {
    alerts: ['SendsSlow'],
    fault: { [within(SENDS, 201, '0.1')]: '0+300x40', [within(SENDS, 201, '0.5')]: '0+300x40' },
  },
  {
    // One slow send a minute at four a minute is a quarter of the sends, and too few to be significant.
    alerts: [],
    fault: {
      [responses(SENDS, 201)]: '0+4x40',
      [within(SENDS, 201, '0.1')]: '0+3x40',
      [within(SENDS, 201, '0.5')]: '0+3x40',
      [within(SENDS, 201, '1')]: '0+4x40',
      [within(SENDS, 201, '+Inf')]: '0+4x40',
    },
  },
  {
    alerts: ['MessagesWait'],
    fault: { [gauge('switchboard_oldest_ready_seconds', worker)]: '0+60x40' },
  },
  {
    alerts: ['WorkerNotSweeping'],
    fault: { [gauge('switchboard_last_sweep_timestamp_seconds', worker)]: '0+60x20 1200x20' },
  },
  {
    alerts: ['AccountOutcomesUnknown', 'OutcomesUnknown'],
    fault: {
      [outcomes('unknown')]: '0+30x40',
      [gauge('switchboard_provider_accounts_unknown', worker)]: '3x40',
    },
  },
  // One account of ten must not wake the operator, but the only one in use must.
  { alerts: ['AccountOutcomesUnknown'], fault: { [outcomes('unknown')]: '0+30x40' } },
  {
    alerts: ['AccountOutcomesUnknown', 'OutcomesUnknown'],
    fault: {
      [outcomes('unknown')]: '0+30x40',
      [gauge('switchboard_provider_accounts_in_use', worker)]: '1x40',
    },
  },
  {
    alerts: ['MessagesUnresolved'],
    fault: { [counter('lookups', 'result', 'unresolved')]: '0x20 1x20' },
  },
  // The API counts duplicates found by a callback, the worker those found by a lookup.
  ...[api, worker].map((labels) => ({
    alerts: ['Duplicate'],
    fault: { [gauge('switchboard_duplicates_total', labels)]: '0x20 1x20' },
  })),
  {
    alerts: ['UntrackedMessages'],
    fault: { [gauge('switchboard_untracked_messages_total', worker)]: '0x20 1x20' },
  },
  {
    alerts: ['InboundUnreadable'],
    fault: { [gauge('switchboard_inbound_unreadable_total', worker)]: '0x20 1x20' },
  },
  {
    alerts: ['CallbacksUnmatched'],
    fault: { [gauge('switchboard_unmatched_callbacks_expired_total', worker)]: '0x20 3x20' },
  },
  {
    alerts: ['ProviderAccountFailing', 'ProviderFailing'],
    fault: { [paused('failing')]: '0x20 3x20' },
  },
  // One account, or two of ten, must not wake the operator.
  {
    alerts: ['ProviderAccountFailing'],
    fault: {
      [paused('failing')]: '0x20 1x20',
      [accounts('twilio', 'failing')]: '0x20 1x20',
      [accounts('telnyx', 'ok')]: '1x40',
      [outcomes('accepted')]: '_x40',
      [outcomesOf('twilio', 'accepted')]: '0+600x19 12000+60x20',
      [outcomesOf('telnyx', 'accepted')]: '0+600x19 12000+540x20',
    },
    described: [
      {
        name: 'ProviderAccountFailing',
        labels: { severity: 'ticket' },
        annotations: {
          summary: 'Provider accounts failing: 1; messages of other accounts are sent',
          description:
            'Failing accounts by provider: twilio 1. Share of the messages of the last ten minutes by provider: telnyx 90% twilio 10%.',
          runbook: 'docs/runbook.md#switchboardprovideraccountfailing',
        },
      },
    ],
  },
  { alerts: ['ProviderAccountFailing'], fault: { [paused('failing')]: '0x20 2x20' } },
  // A problem with one account of two may concern only its workspace. If only one is in use, it concerns all.
  {
    alerts: ['ProviderAccountFailing'],
    fault: {
      [paused('failing')]: '0x20 1x20',
      [gauge('switchboard_provider_accounts_in_use', worker)]: '2x40',
    },
  },
  {
    alerts: ['ProviderAccountFailing', 'ProviderFailing'],
    fault: {
      [paused('failing')]: '0x20 1x20',
      [gauge('switchboard_provider_accounts_in_use', worker)]: '1x40',
    },
  },
  { alerts: ['ProviderShareDropped'], fault: SHARE_DROPPED },
  // The account has its own alert, or the owner has disabled it.
  {
    alerts: ['ProviderAccountFailing'],
    fault: {
      ...SHARE_DROPPED,
      [paused('failing')]: '0x20 1x20',
      [accounts('twilio', 'failing')]: '0x20 1x20',
    },
  },
  { alerts: [], fault: { ...SHARE_DROPPED, [accounts('twilio', 'ok')]: '1x11 0x28' } },
  {
    // Among five messages a minute, no share is significant.
    alerts: [],
    fault: {
      ...SHARE_DROPPED,
      [outcomesOf('twilio', 'accepted')]: '0+3x12 36x28',
      [outcomesOf('telnyx', 'accepted')]: '0+2x40',
      [outcomes('unknown')]: '0x40',
      [outcomes('unreachable')]: '0x40',
      [outcomes('throttled')]: '0x40',
    },
  },
  { alerts: ['ProviderThrottles'], fault: { [outcomes('throttled')]: '0+600x40' } },
  {
    // Only a ticket: the wrong token of one workspace must not page the operator.
    alerts: ['CredentialsRefused'],
    fault: { [paused('refused')]: '0x28 1x12', [outcomes('credentials')]: '0+6x40' },
  },
  { alerts: ['CallbacksMissing'], fault: { [counter('polls', 'result', 'news')]: '0+300x40' } },
  { alerts: ['CallbacksRefused'], fault: { [responses(WEBHOOKS, 403)]: '0+60x40' } },
  { alerts: ['CallbacksSlow'], fault: { [within(WEBHOOKS, 200, '0.1')]: '0x40' } },
  {
    alerts: ['QueueUnreachable'],
    fault: { [gauge('switchboard_direct_sends_total', worker)]: '0+60x40' },
  },
  {
    alerts: ['QueueUnreachable'],
    fault: { [gauge('switchboard_failed_hints_total', api)]: '0+60x40' },
  },
  { alerts: ['HintsLost'], fault: { [counter('swept', 'state', 'ready')]: '0+300x40' } },
  {
    // The sweeper finds the messages that the queue does not deliver; one cause fires one alert.
    alerts: ['QueueUnreachable'],
    fault: {
      [counter('swept', 'state', 'ready')]: '0+300x40',
      [gauge('switchboard_direct_sends_total', worker)]: '0+300x40',
    },
  },
  { alerts: ['LeasesExpire'], fault: { [counter('swept', 'state', 'inflight')]: '0+1x40' } },
  {
    alerts: ['WritesFail'],
    fault: { [gauge('switchboard_failed_writes_total', worker)]: '0+2x40' },
  },
  { alerts: ['PoolWaits'], fault: { [gauge('switchboard_pool_waiting', api)]: '3x40' } },
  {
    alerts: ['EventLoopLag'],
    fault: { [gauge('nodejs_eventloop_lag_p99_seconds', api)]: '0.6x40' },
  },
  { alerts: ['LiveViewLags'], fault: { [gauge('switchboard_live_lag_events', api)]: '5000x40' } },
  { alerts: ['ReplicaLags'], fault: { [gauge('switchboard_replica_lag_seconds', api)]: '6x40' } },
  {
    alerts: ['ConnectionLimit'],
    fault: { [gauge('switchboard_connections_closed_total', api)]: '0x10 0+100x29' },
  },
  { alerts: ['SocketsNearLimit'], fault: { [gauge('switchboard_sockets', api)]: '9000x40' } },
];
