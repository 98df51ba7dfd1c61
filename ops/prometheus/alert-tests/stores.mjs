export const ruleFile = 'store-alerts.yml';

const postgres = (name, labels = '') =>
  `${name}{job="postgres",instance="p",server="127.0.0.1:5432"${labels}}`;
const redis = (name) => `redis_${name}{job="redis",instance="r"}`;
const backends = (database) =>
  postgres('pg_stat_database_numbackends', `,datid="1",datname="${database}"`);

export const healthy = {
  'pg_up{job="postgres",instance="p"}': '1x40',
  [postgres('pg_settings_max_connections')]: '103x40',
  [postgres('pg_settings_superuser_reserved_connections')]: '3x40',
  [backends('switchboard')]: '60x40',
  [backends('postgres')]: '10x40',
  [postgres('switchboard_postgres_replication_replicas')]: '1x40',
  [postgres('switchboard_postgres_replication_lag_bytes')]: '4096x40',
  [postgres('switchboard_postgres_transaction_ids_age')]: '200000000x40',
  [redis('up')]: '1x40',
  [redis('memory_used_bytes')]: '100e6x40',
  [redis('memory_max_bytes')]: '512e6x40',
  [redis('evicted_keys_total')]: '0x40',
  [redis('connected_clients')]: '50x40',
  [redis('config_maxclients')]: '10000x40',
  [redis('connected_slaves')]: '1x40',
};

export const faults = [
  { alerts: ['PostgresDown'], fault: { 'pg_up{job="postgres",instance="p"}': '0x40' } },
  { alerts: ['PostgresConnectionsNearLimit'], fault: { [backends('switchboard')]: '75x40' } },
  {
    alerts: ['PostgresReplicaGone'],
    fault: { [postgres('switchboard_postgres_replication_replicas')]: '1x20 0x20' },
  },
  // A server that never had a replica fires no alert.
  { alerts: [], fault: { [postgres('switchboard_postgres_replication_replicas')]: '0x40' } },
  {
    alerts: ['PostgresReplicaLags'],
    fault: { [postgres('switchboard_postgres_replication_lag_bytes')]: '300e6x40' },
  },
  {
    alerts: ['PostgresWraparound'],
    fault: { [postgres('switchboard_postgres_transaction_ids_age')]: '600e6x40' },
  },
  { alerts: ['RedisDown'], fault: { [redis('up')]: '0x40' } },
  { alerts: ['RedisMemoryNearLimit'], fault: { [redis('memory_used_bytes')]: '450e6x40' } },
  // Without maxmemory there is no limit.
  { alerts: [], fault: { [redis('memory_max_bytes')]: '0x40' } },
  { alerts: ['RedisEvicts'], fault: { [redis('evicted_keys_total')]: '0x30 5x10' } },
  { alerts: ['RedisConnectionsNearLimit'], fault: { [redis('connected_clients')]: '9000x40' } },
  { alerts: ['RedisReplicaGone'], fault: { [redis('connected_slaves')]: '1x20 0x20' } },
];
