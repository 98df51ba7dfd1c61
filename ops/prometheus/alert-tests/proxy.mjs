export const ruleFile = 'proxy-alerts.yml';

const up = 'up{job="haproxy",instance="h"}';
const responses = (code) =>
  `haproxy_frontend_http_responses_total{job="haproxy",instance="h",proxy="public",code="${code}"}`;

export const healthy = {
  [up]: '1x40',
  [responses('2xx')]: '0+600x40',
  [responses('5xx')]: '0x40',
};

export const faults = [
  { alerts: ['ProxyRefuses'], fault: { [responses('5xx')]: '0+30x40' } },
  { alerts: ['ProxyDown'], fault: { [up]: '0x40' } },
  {
    // One refusal at four requests a minute must not page.
    alerts: [],
    fault: { [responses('2xx')]: '0+4x40', [responses('5xx')]: '0x30 1x10' },
  },
];
