import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT_FOLDER } from '../root-folder.ts';

/** The settings that differ between a production node and a test node. */
export interface NodeSettings {
  name: string;
  etcdPort: number;
  restPort: number;
  /** The ports at which the other nodes reach its Patroni and its PostgreSQL. */
  peerRestPort: number;
  peerPort: number;
  port: number;
  folder: string;
  binaries: string;
}

/** Adapts the node configuration of the repository to a node on this machine. */
export async function fillInConfiguration(settings: NodeSettings): Promise<string> {
  const local = (port: number) => `127.0.0.1:${port}`;
  const changes: [RegExp, string][] = [
    [/^name: node-1 .*$/m, `name: ${settings.name}`],
    [/^ {2}listen: \S+:8008 .*$/m, `  listen: ${local(settings.restPort)}`],
    [/^ {2}connect_address: \S+:8008 .*$/m, `  connect_address: ${local(settings.peerRestPort)}`],
    // Without the second line, Patroni connects to the addresses that etcd announces.
    [/^ {2}hosts: .*$/m, `  hosts: ${local(settings.etcdPort)}\n  use_proxies: true`],
    [/^ {2}listen: \S+:5432 .*$/m, `  listen: ${local(settings.port)}`],
    [/^ {2}connect_address: \S+:5432 .*$/m, `  connect_address: ${local(settings.peerPort)}`],
    [/^ {2}data_dir: .*$/m, `  data_dir: ${join(settings.folder, 'data')}`],
    [/^ {2}bin_dir: .*$/m, `  bin_dir: ${settings.binaries}`],
    [/^ {2}pgpass: .*$/m, `  pgpass: ${join(settings.folder, 'pgpass')}`],
    [/^ {4}unix_socket_directories: .*$/m, `    unix_socket_directories: ${settings.folder}`],
    [/10\.0\.0\.0\/24/g, '127.0.0.1/32'],
    // Three nodes in this machine's memory.
    [/^ {8}wal_keep_size: .*$/m, '        wal_keep_size: 128MB'],
    [/^ {8}max_wal_size: .*$/m, '        max_wal_size: 256MB'],
    [/^ {8}min_wal_size: .*$/m, '        min_wal_size: 80MB'],
  ];
  let text = await readFile(join(ROOT_FOLDER, 'ops/patroni/patroni.yml'), 'utf8');
  for (const [pattern, replacement] of changes) {
    if (text.search(pattern) < 0) throw new Error(`patroni.yml has no match for ${pattern.source}`);
    text = text.replace(pattern, replacement);
  }
  return text;
}
