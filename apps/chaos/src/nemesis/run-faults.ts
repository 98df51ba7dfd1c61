import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Handsets } from '../senders/receive-messages.ts';
import type { Stage } from '../stage/start-stage.ts';
import type { Fault, FaultTrack } from './plan-faults.ts';

const BURST = 40;
/** After which some of them are stored, and most are not. */
const BURST_REACHES_API_MS = 60;

/** One accident that has happened, and when: `Date.now()`. */
export interface FaultRecord {
  fault: Fault;
  fromMs: number;
  toMs: number;
}

/**
 * Lets all tracks happen, and keeps in `happened` what did. Resolves when the last fault is over and
 * what it stopped runs again.
 */
export async function runFaults(
  stage: Stage,
  tracks: readonly FaultTrack[],
  happened: FaultRecord[],
  handsets: Handsets,
): Promise<void> {
  const startedAt = performance.now();
  await Promise.all(
    tracks.map(async (track) => {
      for (const { atMs, fault } of track) {
        await pause(Math.max(0, startedAt + atMs - performance.now()));
        const fromMs = Date.now();
        await inject(stage, fault, handsets);
        happened.push({ fault, fromMs, toMs: Date.now() });
      }
    }),
  );
}

/** How often each kind of fault happened: `kill api`, `redis_flush`, `accept_then_reset`, … */
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
    default:
      return [fault.kind];
  }
}

async function inject(stage: Stage, fault: Fault, handsets: Handsets): Promise<void> {
  switch (fault.kind) {
    case 'kill':
      return findSlot(stage, fault.target).kill(fault.downMs);
    case 'freeze':
      return findSlot(stage, fault.target).freeze(fault.forMs);
    case 'redis_flush':
      return flush(theRedis(stage).url);
    case 'redis_restart':
      await theRedis(stage).stop();
      await pause(fault.downMs);
      return theRedis(stage).start();
    case 'redis_hang':
      theRedis(stage).pause();
      await pause(fault.forMs);
      return theRedis(stage).resume();
    case 'redis_failover':
      if (stage.redisGroup === null) throw new Error('this run has no group of Redis servers');
      await stage.redisGroup.failOver();
      return stage.redisGroup.restart();
    case 'pgbouncer_restart':
      await thePgBouncer(stage).kill();
      await pause(fault.downMs);
      return thePgBouncer(stage).start();
    case 'postgres_disconnect':
      return disconnectAll(thePostgres(stage).url);
    case 'postgres_restart':
      await thePostgres(stage).stop();
      await pause(fault.downMs);
      return thePostgres(stage).start();
    case 'postgres_crash':
      await thePostgres(stage).kill();
      await pause(fault.downMs);
      return thePostgres(stage).start();
    case 'postgres_failover':
      if (stage.patroni === null) throw new Error('this run has no Patroni');
      return stage.patroni.failOver(fault.how, fault.forMs);
    case 'carrier':
      return stage.carrier.behave(fault.behaviour);
    case 'provider_errors':
      await stage.carrier.behave({ reject_500: 1 });
      await pause(fault.forMs);
      return stage.carrier.behave({ reject_500: 0 });
    case 'provider_refuses':
      await stage.carrierLink.refuse();
      await pause(fault.forMs);
      return stage.carrierLink.accept();
    case 'freeze_receiving':
      return freezeReceiving(stage, fault, handsets);
  }
}

/** All inbound messages of the burst reach the one API, which is stopped in the midst of them. */
async function freezeReceiving(
  { apis, apiUrls, balancer, ...stage }: Stage,
  { target, workspace, forMs }: Extract<Fault, { kind: 'freeze_receiving' }>,
  handsets: Handsets,
): Promise<void> {
  const ports = apiUrls.map((url) => Number(new URL(url).port));
  const index = apis.findIndex(({ name }) => name === target);
  balancer.route(ports.slice(index, index + 1));
  handsets.burst(workspace, BURST);
  await pause(BURST_REACHES_API_MS);
  const frozen = findSlot({ apis, workers: stage.workers }, target).freeze(forMs);
  balancer.route(ports);
  await frozen;
}

function findSlot(stage: Pick<Stage, 'apis' | 'workers'>, name: string) {
  const slot = [...stage.apis, ...stage.workers].find((candidate) => candidate.name === name);
  if (slot === undefined) throw new Error(`there is no process ${name}`);
  return slot;
}

function theRedis({ redis }: Stage) {
  if (redis === null) throw new Error('this run has no Redis');
  return redis;
}

function thePostgres({ postgres }: Stage) {
  if (postgres === null) throw new Error('this run has no PostgreSQL of its own');
  return postgres;
}

function thePgBouncer({ pgBouncer }: Stage) {
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
  redis.on('error', () => undefined); // the command tells
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}
