import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readTestingConfig } from '../config.ts';
import { type Program, fetchProgram } from './fetch-program.ts';

/** Folders of server programs that the PATH of an ordinary user does not contain. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

const REDIS: Program = {
  name: 'Redis',
  commands: ['redis-server', 'valkey-server'],
  packages: ['redis-server', 'valkey-server'],
  versionArgument: '--version',
  alternative: ', or set REDIS_URL',
};
const HAPROXY: Program = {
  name: 'HAProxy',
  commands: ['haproxy'],
  packages: ['haproxy'],
  versionArgument: '-v',
};

const NGINX: Program = {
  name: 'nginx',
  commands: ['nginx'],
  packages: ['nginx'],
  versionArgument: '-v',
};

const PGBOUNCER: Program = {
  name: 'PgBouncer',
  commands: ['pgbouncer'],
  packages: ['pgbouncer'],
  versionArgument: '--version',
};

const PROMETHEUS: Program = {
  name: 'Prometheus',
  commands: ['prometheus'],
  packages: ['prometheus'],
  versionArgument: '--version',
};

const ETCD: Program = {
  name: 'etcd',
  commands: ['etcd'],
  packages: ['etcd-server'],
  versionArgument: '--version',
};

const PATRONI: Program = {
  name: 'Patroni',
  commands: ['patroni'],
  packages: ['patroni'],
  versionArgument: '--version',
};

/** Tests alert rules; its package is that of Prometheus. */
const PROMTOOL: Program = {
  name: 'promtool',
  commands: ['promtool'],
  packages: ['prometheus'],
  versionArgument: '--version',
};

const RESTIC: Program = {
  name: 'restic',
  commands: ['restic'],
  packages: ['restic'],
  versionArgument: 'version',
};

/**
 * Returns the path of restic, which stores encrypted backups; fetches it if this machine has none.
 */
export function findRestic(): Promise<string> {
  return findProgram(RESTIC);
}

/** Returns the path of PgBouncer; fetches it if this machine has none. */
export function findPgBouncer(): Promise<string> {
  return findProgram(PGBOUNCER);
}

/** Returns the path of a Redis (or Valkey) server; fetches it if this machine has none. */
export function findRedisServer(): Promise<string> {
  return findProgram(REDIS);
}

export function findHaproxy(): Promise<string> {
  return findProgram(HAPROXY);
}

export function findNginx(): Promise<string> {
  return findProgram(NGINX);
}

/** Returns the path of Prometheus; fetches it (19 MB) if this machine has none. */
export function findPrometheus(): Promise<string> {
  return findProgram(PROMETHEUS);
}

export function findPromtool(): Promise<string> {
  return findProgram(PROMTOOL);
}

/** Returns the path of a Prometheus exporter; fetches it if this machine has none. */
export function findExporter(name: 'blackbox' | 'node' | 'postgres' | 'redis'): Promise<string> {
  const command = `prometheus-${name}-exporter`;
  return findProgram({
    name: command,
    commands: [command],
    packages: [command],
    versionArgument: '--version',
  });
}

export function findEtcd(): Promise<string> {
  return findProgram(ETCD);
}

export function findPatroni(): Promise<string> {
  return findProgram(PATRONI);
}

async function findProgram(program: Program): Promise<string> {
  const folders = [...readTestingConfig().path.split(delimiter), ...SYSTEM_FOLDERS];
  for (const folder of folders) {
    for (const name of program.commands) {
      const path = join(folder, name);
      if (folder !== '' && (await isExecutable(path))) return path;
    }
  }
  return fetchProgram(program);
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
