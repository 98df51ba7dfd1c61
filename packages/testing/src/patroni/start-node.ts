import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseLauncher, findFreePort } from '@switchboard/embedded-postgres';
import { readTestingConfig } from '../config.ts';
import { type ChildProcess, startChild } from '../processes/start-child.ts';
import { ROOT_FOLDER } from '../root-folder.ts';
import { retry } from '../redis/redis-group.ts';
import { fillInConfiguration } from './fill-in-configuration.ts';
import { isRunning, listServerProcesses, signalAll } from '../postgres/server-processes.ts';

/** One node of a cluster: Patroni and the PostgreSQL server that it starts. */
export interface PatroniNode {
  name: string;
  /**
   * The port at which clients reach its PostgreSQL, even if the node is cut off from the other
   * nodes.
   */
  port: number;
  restUrl: string;
  start(): Promise<void>;
  /** Sends SIGKILL to PostgreSQL only. */
  killServer(): Promise<void>;
  /** Sends SIGKILL to Patroni only: PostgreSQL keeps its role. */
  killPatroni(): Promise<void>;
  /** Sends SIGSTOP to all processes; returns a function that resumes them. */
  freeze(): Promise<() => void>;
  /** Cuts the node off from etcd and the other nodes, but not from clients. */
  isolate(): Promise<void>;
  rejoin(): Promise<void>;
  close(): Promise<void>;
}

const RELAY = join(ROOT_FOLDER, 'packages/testing/dist/patroni/relay-process.js');
const READY_TIMEOUT_MS = 60_000;
const KILLED_TIMEOUT_MS = 30_000;
/** How long to restart Patroni, as systemd does, if it exits because etcd responds too slowly. */
const RESTARTS_MS = 60_000;

export async function startNode(options: {
  name: string;
  /** The folder for data and configuration. */
  folder: string;
  /** The folder for the node's log, or null to keep no log. */
  logFolder: string | null;
  etcdPort: number;
  program: string;
  binaries: string;
}): Promise<PatroniNode> {
  const { name, program, binaries } = options;
  const folder = join(options.folder, name);
  const dataFolder = join(folder, 'data');
  await mkdir(folder, { mode: 0o700 });
  const [port, restPort] = [await findFreePort(), await findFreePort()];
  const relay = await startChild({
    name: `relay of ${name}`,
    command: process.execPath,
    args: [RELAY, ...[options.etcdPort, restPort, port].map(String)],
    env: { PATH: readTestingConfig().path },
  });
  const [etcdPort = 0, peerRestPort = 0, peerPort = 0] = relay.url.split(',').map(Number);
  const file = join(folder, 'patroni.yml');
  const settings = { name, etcdPort, restPort, peerRestPort, peerPort, port, folder, binaries };
  await writeFile(file, await fillInConfiguration(settings), { mode: 0o600 });
  const [command, args] = chooseLauncher(folder)(program, [file]);
  /** The output of each Patroni process that ran on this node. */
  const logs: (readonly string[])[] = [];
  let patroni: ChildProcess | null = null;

  function launch(): Promise<ChildProcess> {
    return startChild({
      name: `Patroni ${name}`,
      command,
      args,
      env: { PATH: readTestingConfig().path, LC_ALL: 'C.UTF-8' },
      isReady: (line) => /INFO: no action\. |promoted self to leader by acquiring/.test(line),
      readyTimeoutMs: READY_TIMEOUT_MS,
    });
  }

  async function killServer(): Promise<void> {
    signalAll(await listServerProcesses(dataFolder), 'SIGKILL');
  }

  async function killPatroni(): Promise<void> {
    const killed = patroni;
    if (killed === null) return;
    patroni = null;
    signalAll([killed.pid], 'SIGKILL');
    // Its output stays open as long as the server that it started runs, so `kill` would wait for
    // both.
    await retry(KILLED_TIMEOUT_MS, async () => {
      if (await isRunning(killed.pid))
        throw new Error(`Patroni ${name} is still running after SIGKILL`);
    });
  }

  return {
    name,
    port,
    restUrl: `http://127.0.0.1:${restPort}`,
    async start() {
      patroni = await retry(RESTARTS_MS, launch);
      logs.push(patroni.logs);
    },
    killServer,
    killPatroni,
    async freeze() {
      const pids = [patroni?.pid ?? 0, ...(await listServerProcesses(dataFolder))];
      const frozen = pids.filter((pid) => pid !== 0);
      signalAll(frozen, 'SIGSTOP');
      return () => signalAll(frozen, 'SIGCONT');
    },
    async isolate() {
      relay.signal('SIGUSR2');
    },
    async rejoin() {
      relay.signal('SIGHUP');
    },
    async close() {
      await killPatroni();
      await killServer();
      await relay.kill();
      if (options.logFolder !== null) {
        await writeFile(join(options.logFolder, `patroni-${name}.log`), logs.flat().join('\n'));
      }
    },
  };
}
