import { expect, test } from 'vitest';
import { findMisspelledSettings } from './find-misspelled-settings.ts';

test('a variable whose name differs from a setting by one or two letters is reported with that setting', () => {
  const env = {
    REDIS_ULR: 'redis://127.0.0.1',
    RATE_LIMIT_MESAGING: 'none',
    MESSAGE_RETENTION_DAY: '30',
    TRUST_PROXI: '1',
    SECRET_KEY_FIEL: '/run/secrets/key',
    POTR: '3000',
  };
  expect(findMisspelledSettings(env)).toEqual([
    { setting: 'REDIS_ULR', similarTo: 'REDIS_URL' },
    { setting: 'RATE_LIMIT_MESAGING', similarTo: 'RATE_LIMIT_MESSAGING' },
    { setting: 'MESSAGE_RETENTION_DAY', similarTo: 'MESSAGE_RETENTION_DAYS' },
    { setting: 'TRUST_PROXI', similarTo: 'TRUST_PROXY' },
    { setting: 'SECRET_KEY_FIEL', similarTo: 'SECRET_KEY_FILE' },
    { setting: 'POTR', similarTo: 'PORT' },
  ]);
});

test('settings, files of settings and the variables of other programs are not reported as misspelled', () => {
  const names = [
    'REDIS_URL SECRET_KEY_FILE PORT OPS_PORT HOST',
    'HOME HOSTNAME PATH PWD SHLVL LANG TERM USER TZ _ npm_config_cache',
    'HTTP_PROXY http_proxy ALL_PROXY NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS INVOCATION_ID PGHOST PGPORT',
    'REDIS_PORT REDIS_SERVICE_HOST API_PORT KUBERNETES_PORT DATABASE_HOST POSTGRES_PASSWORD',
  ].flatMap((line) => line.split(' '));
  const env = Object.fromEntries(names.map((name) => [name, 'set']));
  expect(findMisspelledSettings(env)).toEqual([]);
});
