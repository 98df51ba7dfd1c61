// Each series has thirty hours of samples, one every five minutes, at 600 sends and 600 callbacks a
// minute. Longer windows use the samples that exist.
export const ruleFile = 'service-levels.yml';
export const interval = '5m';
export const evalTime = '29h';

const STEPS = 30 * 12;
const PER_STEP = 3_000;
const SENDS = 'method="POST",route="/api/messages"';
// Not Twilio: the objective covers every provider.
const CALLBACKS = 'method="POST",route="/api/webhooks/telnyx/:providerId/status"';

const requests = (request, status) =>
  `switchboard_http_request_seconds_count{job="switchboard-api",instance="a",${request},status="${status}"}`;
const within = (request, status, le) =>
  requests(request, status).replace('_count{', '_bucket{').replace('}', `,le="${le}"}`);
const proxy = (name, labels) =>
  `haproxy_${name}_http_responses_total{job="haproxy",instance="h",${labels},code="5xx"}`;
const oldest = 'switchboard_oldest_ready_seconds{job="switchboard-worker",instance="w"}';

const growing = (perStep) => `0+${perStep}x${STEPS}`;
/** Returns a counter that grows only for `forHours`, until the end or until `endedHoursAgo`. */
function growingLate(perStep, { forHours, endedHoursAgo = 0 }) {
  const end = 29 * 12;
  const until = end - endedHoursAgo * 12;
  const from = until - forHours * 12;
  const reached = perStep * (until - from);
  return `0x${from} 0+${perStep}x${until - from} ${reached}x${STEPS - until}`;
}

export const healthy = {
  [requests(SENDS, 201)]: growing(PER_STEP),
  [requests(SENDS, 503)]: growing(1),
  [within(SENDS, 201, '0.25')]: growing(PER_STEP - 3),
  [requests(CALLBACKS, 200)]: growing(PER_STEP),
  [within(CALLBACKS, 200, '1')]: growing(PER_STEP - 3),
  [requests(CALLBACKS, 403)]: growing(PER_STEP),
  [proxy('frontend', 'proxy="public"')]: growing(1),
  [proxy('server', 'proxy="api",server="api-3000"')]: growing(1),
  [oldest]: `1x${STEPS}`,
};

const both = ['ErrorBudgetBurns', 'ErrorBudgetBurnsFast'];

// The first two make both alerts fire. Each fault takes seconds, because promtool computes 29 hours.
export const shortFaults = 2;

export const faults = [
  // 2 % of the sends for an hour: 20 times the budget's rate uses up the budget within two days.
  {
    alerts: ['ErrorBudgetBurnsFast'],
    fault: { [requests(SENDS, 503)]: growingLate(60, { forHours: 1 }) },
  },
  // 0.8 % for seven hours: within five days.
  { alerts: both, fault: { [requests(SENDS, 503)]: growingLate(24, { forHours: 7 }) } },
  // 0.4 % for a day, or 0.15 % for longer: a ticket.
  {
    alerts: ['ErrorBudgetBurns'],
    fault: { [requests(SENDS, 503)]: growingLate(12, { forHours: 24 }) },
  },
  { alerts: ['ErrorBudgetBurns'], fault: { [requests(SENDS, 503)]: growing(4.5) } },
  // The alert has ended because the fault ended an hour ago.
  {
    alerts: [],
    fault: { [requests(SENDS, 503)]: growingLate(60, { forHours: 1, endedHoursAgo: 1 }) },
  },
  // HAProxy itself refuses them, so the requests reach no API.
  {
    alerts: ['ErrorBudgetBurnsFast'],
    fault: { [proxy('frontend', 'proxy="public"')]: growingLate(60, { forHours: 1 }) },
  },
  // Without HAProxy, the rule uses the metrics of the APIs alone.
  {
    alerts: ['ErrorBudgetBurnsFast'],
    fault: {
      [requests(SENDS, 503)]: growingLate(60, { forHours: 1 }),
      [proxy('frontend', 'proxy="public"')]: `_x${STEPS}`,
      [proxy('server', 'proxy="api",server="api-3000"')]: `_x${STEPS}`,
    },
  },
  // A quarter of the sends take longer than 250 ms.
  { alerts: both, fault: { [within(SENDS, 201, '0.25')]: growing(2_250) } },
  { alerts: both, fault: { [oldest]: `60x${STEPS}` } },
  // No worker reports the metric.
  { alerts: both, fault: { [oldest]: `_x${STEPS}` } },
  { alerts: both, fault: { [within(CALLBACKS, 200, '1')]: growing(2_250) } },
  { alerts: both, fault: { [requests(CALLBACKS, 503)]: growing(1_000) } },
  // One failure an hour at two sends an hour is half of the sends, but no reason to page.
  {
    alerts: ['ErrorBudgetBurns'],
    fault: {
      [requests(SENDS, 201)]: growing(1 / 12),
      [within(SENDS, 201, '0.25')]: growing(1 / 12),
      [requests(SENDS, 503)]: growing(1 / 12),
    },
  },
];
