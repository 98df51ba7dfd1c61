// The rules of patroni-alerts.yml: three nodes, of which `a` is the primary.
export const ruleFile = 'patroni-alerts.yml';

const nodes = ['a', 'b', 'c'];
const series = (name, node) => `${name}{job="patroni",instance="${node}",scope="switchboard"}`;
const up = (node) => `up{job="patroni",instance="${node}"}`;

// `1x80`: stays at 1 for 80 minutes. `1x10 0x70`: 0 after ten minutes.
export const healthy = Object.fromEntries(
  nodes.flatMap((node) => [
    [up(node), '1x80'],
    [series('patroni_primary', node), node === 'a' ? '1x80' : '0x80'],
    [series('patroni_sync_standby', node), node === 'b' ? '1x80' : '0x80'],
    [series('patroni_postgres_running', node), '1x80'],
    [series('patroni_is_paused', node), '0x80'],
  ]),
);

const gone = (node) => ({
  [up(node)]: '0x80',
  ...Object.fromEntries(
    ['patroni_primary', 'patroni_sync_standby', 'patroni_postgres_running'].map((name) => [
      series(name, node),
      '_x80',
    ]),
  ),
});

export const faults = [
  { alerts: ['PatroniNoPrimary'], fault: { [series('patroni_primary', 'a')]: '1x10 0x70' } },
  {
    alerts: ['PatroniNoSynchronousStandby'],
    fault: { [series('patroni_sync_standby', 'b')]: '1x10 0x70' },
  },
  { alerts: ['PatroniNodeDown'], fault: gone('c') },
  { alerts: ['PatroniNodeDown'], fault: { [series('patroni_postgres_running', 'c')]: '0x80' } },
  // Another node becomes the primary within the minute, so no alert pages.
  {
    alerts: ['PatroniNodeDown'],
    fault: {
      ...gone('a'),
      [series('patroni_primary', 'b')]: '1x80',
      [series('patroni_sync_standby', 'b')]: '0x80',
      [series('patroni_sync_standby', 'c')]: '1x80',
    },
  },
  { alerts: ['PatroniPaused'], fault: { [series('patroni_is_paused', 'a')]: '1x100' } },
];
export const evalTime = '75m';
