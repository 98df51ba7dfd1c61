import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Handsets } from '../senders/receive-messages.ts';
import type { Harness } from '../start-harness.ts';
import type { Fault, FaultTrack } from './plan-faults.ts';

const BURST = 40;
/** The time after which some of the messages are stored and most are not. */
const BURST_REACHES_API_MS = 60;

/** A fault that was injected, with its times from `Date.now()`. */
export interface FaultRecord {
  fault: Fault;
  fromMs: number;
  toMs: number;
}

/**
 * Runs all tracks and records their faults in `happened`. Resolves when the last fault is over and
 * everything that it stopped runs again.
 */
export async function runFaults(
  harness: Harness,
  tracks: readonly FaultTrack[],
  happened: FaultRecord[],
  handsets: Handsets,
): Promise<void> {
  const startedAt = performance.now();
  await Promise.all(
    tracks.map(async (track) => {
      for (const { atMs, fault } of track) {
        await delay(Math.max(0, startedAt + atMs - performance.now()));
        const fromMs = Date.now();
        await inject(harness, fault, handsets);
        happened.push({ fault, fromMs, toMs: Date.now() });
      }
    }),
  );
}

/** Counts the injected faults by kind: `kill api`, `redis_flush`, `accept_then_reset`, … */
export function countFaults(happened: readonly FaultRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { fault } of happened) {
    for (const name of namesOf(fault)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function namesOf(fault: Fault): string[] {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return [`${fault.kind} ${fault.target.replace(/-\d+$/, '')}`];
    case 'postgres_failover':
      return [`${fault.kind} ${fault.how}`];
    case 'carrier':
      return Object.entries(fault.behaviour)
        .filter(([name, value]) => name !== 'seed' && value !== 0)
        .map(([name]) => name);
    case 'provider_errors':
    case 'provider_refuses':
      return [`${fault.kind} ${fault.provider}`];
    default:
      return [fault.kind];
  }
}

async function inject(harness: Harness, fault: Fault, handsets: Handsets): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return findSlot(harness, fault.target).kill(fault.downMs);
    case 'freeze':
      return findSlot(harness, fault.target).freeze(fault.forMs);
    case 'redis_flush':
      return flush(getRedis(harness).url);
    case 'redis_restart':
      await getRedis(harness).stop();
      await delay(fault.downMs);
      return getRedis(harness).start();
    case 'redis_hang':
      getRedis(harness).pause();
      await delay(fault.forMs);
      return getRedis(harness).resume();
    case 'redis_failover':
      if (harness.redisGroup === null) throw new Error('this run has no group of Redis servers');
      await harness.redisGroup.failOver();
      return harness.redisGroup.restart();
    case 'pgbouncer_restart':
      await getPgBouncer(harness).kill();
      await delay(fault.downMs);
      return getPgBouncer(harness).start();
    case 'postgres_disconnect':
      return disconnectAll(getPostgres(harness).url);
    case 'postgres_restart':
      await getPostgres(harness).stop();
      await delay(fault.downMs);
      return getPostgres(harness).start();
    case 'postgres_crash':
      await getPostgres(harness).kill();
      await delay(fault.downMs);
      return getPostgres(harness).start();
    case 'postgres_failover':
      if (harness.patroni === null) throw new Error('this run has no Patroni');
      return harness.patroni.failOver(fault.how, fault.forMs);
    case 'carrier':
      return harness.carrier.behave(fault.behaviour, fault.provider);
    case 'provider_errors':
      await harness.carrier.behave({ reject_500: 1 }, fault.provider);
      await delay(fault.forMs);
      return harness.carrier.behave({ reject_500: 0 }, fault.provider);
    case 'provider_refuses':
      await harness.links[fault.provider].refuse();
      await delay(fault.forMs);
      return harness.links[fault.provider].accept();
    case 'smpp_disconnect':
      await harness.links.smpp.refuse();
      await delay(fault.downMs);
      return harness.links.smpp.accept();
    case 'freeze_receiving':
      return freezeReceiving(harness, fault, handsets);
  }
}

/** Sends a burst of inbound messages to one API and freezes the API while it processes them. */
async function freezeReceiving(
  { apis, apiUrls, balancer, ...harness }: Harness,
  { target, workspace, forMs }: Extract<Fault, { kind: 'freeze_receiving' }>,
  handsets: Handsets,
): Promise<void> {
  const ports = apiUrls.map((url) => Number(new URL(url).port));
  const index = apis.findIndex(({ name }) => name === target);
  balancer.route(ports.slice(index, index + 1));
  handsets.burst(workspace, BURST);
  await delay(BURST_REACHES_API_MS);
  const frozen = findSlot({ apis, workers: harness.workers }, target).freeze(forMs);
  balancer.route(ports);
  await frozen;
}

function findSlot(harness: Pick<Harness, 'apis' | 'workers'>, name: string) {
  const slot = [...harness.apis, ...harness.workers].find((candidate) => candidate.name === name);
  if (slot === undefined) throw new Error(`no process is named ${name}`);
  return slot;
}

function getRedis({ redis }: Harness) {
  if (redis === null) throw new Error('this run has no Redis');
  return redis;
}

function getPostgres({ postgres }: Harness) {
  if (postgres === null) throw new Error('this run has no single PostgreSQL server');
  return postgres;
}

function getPgBouncer({ pgBouncer }: Harness) {
  if (pgBouncer === null) throw new Error('this run has no PgBouncer');
  return pgBouncer;
}

async function disconnectAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name ~ '^switchboard-(api|worker)$'`,
    );
  } finally {
    await client.end();
  }
}

async function flush(url: string): Promise<void> {
  const redis = new Redis(url);
  redis.on('error', () => undefined); // the command reports errors
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}
