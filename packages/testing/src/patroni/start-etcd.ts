import { join } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { type ChildProcess, startChild } from '../processes/start-child.ts';
import { readTestingConfig } from '../config.ts';

/** Starts one etcd server. That three of them survive the loss of one is etcd's guarantee, not tested here. */
export async function startEtcd(
  program: string,
  folder: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const [port, peerPort] = [await findFreePort(), await findFreePort()];
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const url = `http://127.0.0.1:${port}`;
  const settings: Record<string, string> = {
    name: 'etcd-1',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd-1=${peerUrl}`,
    // Patroni needs it: see ops/patroni/patroni.yml.
    'enable-v2': 'true',
    logger: 'zap',
  };
  const child: ChildProcess = await startChild({
    name: 'etcd',
    command: program,
    args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    env: { PATH: readTestingConfig().path },
    isReady: (line) => line.includes('serving client traffic'),
  });
  return { port, close: () => child.kill() };
}
