import { optional, required, withDefault } from './declare-setting.ts';
import { integerSetting, postgresUrlSetting, redisUrlSetting } from './setting-kinds.ts';

export const DATABASE_SETTINGS = {
  DATABASE_URL: required(postgresUrlSetting(), {
    readBy: [
      'api',
      'worker',
      'standalone',
      'migrate',
      'after-restore',
      'demo-data',
      'retention',
      'rotate-secrets',
      'reset-password',
      'sign-in-link',
      'backup',
      'restore',
    ],
    standalone: 'embedded',
    description:
      'PostgreSQL 15 or newer. May name [several hosts](high-availability.md#connect), as in libpq: `@a:5432,b:5432/switchboard?target_session_attrs=read-write`.',
  }),
  DIRECT_DATABASE_URL: optional(postgresUrlSetting(), {
    readBy: ['api', 'worker', 'migrate', 'retention', 'backup', 'restore'],
    absent: '`DATABASE_URL`',
    description:
      'The address of PostgreSQL itself, if `DATABASE_URL` goes through [PgBouncer](deploy.md#pgbouncer).',
  }),
  REPLICA_DATABASE_URL: optional(postgresUrlSetting(), {
    readBy: ['api'],
    absent: 'history is read from the primary',
    description:
      'A streaming [replica](deploy.md#a-replica-for-history), from which history is read.',
  }),
  REPLICA_MAX_LAG_MS: withDefault(integerSetting({ min: 2_000, max: 3_600_000 }), '5000', {
    readBy: ['api'],
    description:
      'The maximum lag of the replica, in ms. Beyond that, history is read from the primary.',
  }),
  REDIS_URL: optional(redisUrlSetting(), {
    readBy: ['api', 'worker'],
    absent: 'PostgreSQL is used instead',
    description:
      'Redis for queue, event bus and rate limits: one server, sentinels or a cluster ([forms](deploy.md#redis-over-tls-behind-sentinels-in-a-cluster)).',
  }),
};

/** Returns the address of PostgreSQL itself, for sessions that PgBouncer must not share. */
export function getDirectDatabaseUrl(settings: {
  DATABASE_URL: string;
  DIRECT_DATABASE_URL?: string | undefined;
}): string {
  return settings.DIRECT_DATABASE_URL ?? settings.DATABASE_URL;
}
