import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrateTemplate } from '../postgres/migrate-template.ts';
import { createClosers } from '../processes/create-closers.ts';
import { findEtcd, findPatroni } from '../programs/find-program.ts';
import { retry } from '../redis/redis-group.ts';
import { findMemoryFolder } from '../run/run-folders.ts';
import { type ClusterState, readClusterState } from './cluster-state.ts';
import { startEtcd } from './start-etcd.ts';
import { type PatroniNode, startNode } from './start-node.ts';

/** Faults of the primary; `standby_frozen` stops the synchronous standby. */
export const FAILOVER_KINDS = [
  'switchover',
  'server_killed',
  'node_killed',
  'patroni_killed',
  'frozen',
  'isolated',
  'standby_frozen',
] as const;
export type FailoverKind = (typeof FAILOVER_KINDS)[number];

/** A cluster of three nodes from ops/patroni/patroni.yml, with one etcd. */
export interface PatroniCluster {
  /** A URL with all three hosts. */
  url: string;
  /** The URL of the current primary only. */
  primaryUrl(): Promise<string>;
  /**
   * Stops a node for `forMs`, starts it again, and resolves when three nodes replicate again. A
   * switchover stops no node.
   */
  failOver(kind: FailoverKind, forMs: number): Promise<void>;
  close(): Promise<void>;
}

const NODES = ['node-1', 'node-2', 'node-3'];
const HEALTHY_TIMEOUT_MS = 120_000;
const ANSWER_TIMEOUT_MS = 30_000;
const BINARIES = '/usr/lib/postgresql';
const PASSWORD = 'of-the-service';

export async function startPatroni(options: { logFolder?: string } = {}): Promise<PatroniCluster> {
  const closers = createClosers();
  try {
    const program = await findPatroni();
    const binaries = await findServerBinaries();
    const folder = await closers.open(
      () => mkdtemp(join(findMemoryFolder(), 'patroni-')),
      (opened) => rm(opened, { recursive: true, force: true }),
    );
    const etcdProgram = await findEtcd();
    const { port: etcdPort } = await closers.open(() => startEtcd(etcdProgram, folder));
    const nodes: PatroniNode[] = [];
    for (const name of NODES) {
      const logFolder = options.logFolder ?? null;
      const own = { name, folder, logFolder, etcdPort, program, binaries };
      const node = await closers.open(() => startNode(own));
      await node.start();
      nodes.push(node);
    }
    const cluster = createCluster(nodes);
    await cluster.whenHealthy();
    await createServiceDatabase(await cluster.primary());
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const toUrl = (at: string) => `postgresql://switchboard:${PASSWORD}@${at}/switchboard`;
    const url = `${toUrl(hosts)}?target_session_attrs=read-write`;
    await migrateTemplate(url);
    return {
      url,
      primaryUrl: async () => toUrl(`127.0.0.1:${(await cluster.primary()).port}`),
      failOver: (kind, forMs) => cluster.failOver(kind, forMs),
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function createCluster(nodes: readonly PatroniNode[]) {
  const restUrls = nodes.map(({ restUrl }) => restUrl);
  /** During a failover or on a busy machine, Patroni may not respond immediately. */
  const readState = () => retry(ANSWER_TIMEOUT_MS, () => readClusterState(restUrls));

  async function whenHealthy(isExpected: (state: ClusterState) => boolean = () => true) {
    await retry(HEALTHY_TIMEOUT_MS, async () => {
      const state = await readState();
      if (!state.isHealthy || !isExpected(state)) throw new Error(`not healthy: ${state.text}`);
    });
  }

  function nodeOf(name: string | null): PatroniNode {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`the cluster has no node ${name}`);
    return node;
  }

  /** Applies a fault to a node for `forMs`, and then undoes it. */
  async function injectFault(kind: FailoverKind, node: PatroniNode, forMs: number): Promise<void> {
    switch (kind) {
      case 'switchover':
        return switchOver(node);
      case 'server_killed':
        return node.killServer();
      case 'node_killed':
        await node.killPatroni();
        await node.killServer();
        await delay(forMs);
        return node.start();
      case 'patroni_killed':
        await node.killPatroni();
        await delay(forMs);
        return node.start();
      case 'frozen':
      case 'standby_frozen': {
        const resume = await node.freeze();
        await delay(forMs).finally(resume);
        return;
      }
      case 'isolated':
        await node.isolate();
        await delay(forMs);
        return node.rejoin();
    }
  }

  return {
    whenHealthy,
    primary: async () => nodeOf((await readState()).leader),
    async failOver(kind: FailoverKind, forMs: number): Promise<void> {
      const before = await readState();
      const isOfStandby = kind === 'standby_frozen';
      const node = nodeOf(isOfStandby ? before.syncStandby : before.leader);
      await injectFault(kind, node, forMs);
      await whenHealthy(({ leader }) => isOfStandby || leader !== node.name);
    },
  };
}

async function switchOver(leader: PatroniNode): Promise<void> {
  const answer = await fetch(`${leader.restUrl}/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: leader.name }),
  });
  const text = await answer.text();
  // 503: the operation continues, but Patroni has stopped waiting for it.
  if (answer.status !== 200 && answer.status !== 503) {
    throw new Error(`Patroni refused the switchover: ${answer.status} ${text}`);
  }
}

/** Follows the operator's steps on the primary in docs/high-availability.md. */
async function createServiceDatabase({ port }: PatroniNode): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: 'change-me-1',
    database: 'postgres',
  });
  await client.connect();
  try {
    await client.query(`CREATE ROLE switchboard LOGIN PASSWORD '${PASSWORD}'`);
    await client.query('CREATE DATABASE switchboard OWNER switchboard');
  } finally {
    await client.end();
  }
}

/**
 * Patroni needs all PostgreSQL server programs; the PostgreSQL package from npm has no
 * pg_basebackup.
 */
async function findServerBinaries(): Promise<string> {
  const versions = await readdir(BINARIES).catch((): string[] => []);
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(BINARIES, version, 'bin');
    const isComplete = await Promise.all(
      ['initdb', 'pg_basebackup', 'pg_rewind'].map((name) => access(join(folder, name))),
    ).then(
      () => true,
      () => false,
    );
    if (isComplete) return folder;
  }
  throw new Error('These tests need a PostgreSQL server: install the package postgresql.');
}
