// A Prometheus that was started ten minutes ago: the long windows hold ten minutes.
export const ruleFile = 'service-levels.yml';
export const interval = '1m';
export const evalTime = '10m';

const sends = (status) =>
  `switchboard_http_request_seconds_count{job="switchboard-api",instance="a",method="POST",route="/api/messages",status="${status}"}`;
const fast = sends(201).replace('_count{', '_bucket{').replace('}', ',le="0.25"}');

export const healthy = {
  [sends(201)]: '0+2x10',
  [fast]: '0+2x10',
  [sends(503)]: '0x10',
  'switchboard_oldest_ready_seconds{job="switchboard-worker",instance="w"}': '1x10',
};

export const faults = [
  // Two failures are a tenth of the sends, and too few to be significant.
  { alerts: [], fault: { [sends(503)]: '0 0 1 1 1 2x5' } },
  { alerts: ['ErrorBudgetBurnsFast'], fault: { [sends(503)]: '0+1x10' } },
  // Until the first worker was reached, its metric was missing.
  {
    alerts: [],
    fault: {
      'switchboard_oldest_ready_seconds{job="switchboard-worker",instance="w"}': '_ 1x9',
    },
  },
];
