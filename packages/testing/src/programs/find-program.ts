import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readTestingConfig } from '../config.ts';
import { type Program, fetchProgram } from './fetch-program.ts';

/** Folders of server programs that the PATH of an ordinary user does not contain. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin'];

/** Describes a program that has the name of its package. */
function describeProgram(name: string, command: string, versionArgument = '--version'): Program {
  return { name, commands: [command], packages: [command], versionArgument };
}

// Each function returns the path of a program, and fetches the program if this machine has none.

/** Returns a Redis or Valkey server. */
export function findRedisServer(): Promise<string> {
  return findProgram({
    name: 'Redis',
    commands: ['redis-server', 'valkey-server'],
    packages: ['redis-server', 'valkey-server'],
    versionArgument: '--version',
    alternative: ', or set REDIS_URL',
  });
}

export function findPgBouncer(): Promise<string> {
  return findProgram(describeProgram('PgBouncer', 'pgbouncer'));
}

/** Returns restic, which stores encrypted backups. */
export function findRestic(): Promise<string> {
  return findProgram(describeProgram('restic', 'restic', 'version'));
}

export function findHaproxy(): Promise<string> {
  return findProgram(describeProgram('HAProxy', 'haproxy', '-v'));
}

export function findNginx(): Promise<string> {
  return findProgram(describeProgram('nginx', 'nginx', '-v'));
}

/** The package has 19 MB. */
export function findPrometheus(): Promise<string> {
  return findProgram(describeProgram('Prometheus', 'prometheus'));
}

/** Returns the tester of alert rules, which is in the package of Prometheus. */
export function findPromtool(): Promise<string> {
  return findProgram({ ...describeProgram('promtool', 'promtool'), packages: ['prometheus'] });
}

/** Returns an exporter for Prometheus. */
export function findExporter(name: 'blackbox' | 'node' | 'postgres' | 'redis'): Promise<string> {
  const command = `prometheus-${name}-exporter`;
  return findProgram(describeProgram(command, command));
}

export function findEtcd(): Promise<string> {
  return findProgram({ ...describeProgram('etcd', 'etcd'), packages: ['etcd-server'] });
}

export function findPatroni(): Promise<string> {
  return findProgram(describeProgram('Patroni', 'patroni'));
}

/** Returns Kannel's SMPP server for tests, which no PATH contains. */
export function findKannelSmsc(): Promise<string> {
  return fetchProgram({
    name: 'Kannel',
    commands: ['drive_smpp'],
    packages: ['kannel-extras'],
    folder: 'usr/lib/kannel/test',
    versionArgument: '-h',
  });
}

/** Returns one of the two programs of the Kannel gateway: bearerbox has the sessions, and smsbox has HTTP. */
export function findKannelBox(name: 'bearerbox' | 'smsbox'): Promise<string> {
  return findProgram({ ...describeProgram(name, name), packages: ['kannel'] });
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
