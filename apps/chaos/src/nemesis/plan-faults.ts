import type { Behaviour, FailoverKind, ProviderName } from '@switchboard/testing';
import type { Random } from '@switchboard/testing/random';
import type { Backend } from '../start-harness.ts';
import { HOLD_MS, LATEST_ACCEPTANCE_MS, STOPPED_MS } from '../timings.ts';

/** One fault. `target` names a process. */
export type Fault =
  | { kind: 'kill'; target: string; downMs: number }
  | { kind: 'freeze'; target: string; forMs: number }
  | { kind: 'redis_flush' }
  | { kind: 'redis_restart'; downMs: number }
  | { kind: 'redis_hang'; forMs: number }
  /** Kills the master and restarts it after another server has taken over. */
  | { kind: 'redis_failover' }
  /** Kills PgBouncer, and with it every connection of the service. */
  | { kind: 'pgbouncer_restart'; downMs: number }
  /** Terminates all PostgreSQL connections of the service. */
  | { kind: 'postgres_disconnect' }
  | { kind: 'postgres_restart'; downMs: number }
  | { kind: 'postgres_crash'; downMs: number }
  /** Stops a node of the Patroni cluster for `forMs`. */
  | { kind: 'postgres_failover'; how: FailoverKind; forMs: number }
  | { kind: 'carrier'; provider: ProviderName; behaviour: Behaviour }
  /** The provider's API answers 500 to every message and accepts none. */
  | { kind: 'provider_errors'; provider: ProviderName; forMs: number }
  /** The provider's API is unreachable. */
  | { kind: 'provider_refuses'; provider: ProviderName; forMs: number }
  /** The SMSC loses every session in the middle of its messages, and refuses connections for `downMs`. */
  | { kind: 'smpp_disconnect'; downMs: number }
  /** Freezes an API while it processes a burst of inbound messages of one workspace. */
  | { kind: 'freeze_receiving'; target: string; workspace: number; forMs: number };

/**
 * Starts at `atMs` from the start of the run, or later if the previous fault of the track is not
 * over.
 */
export interface PlannedFault {
  atMs: number;
  fault: Fault;
}

/** The faults of one target, in order. The tracks of a plan run concurrently. */
export type FaultTrack = PlannedFault[];

export interface FaultPlanOptions {
  backend: Backend;
  providers: readonly ProviderName[];
  /** The time over which the faults after `PROLOGUE_MS` are spread. */
  durationMs: number;
  /** `small` injects every kind of fault once; `full` is the size of the documented runs. */
  size: 'small' | 'full';
}

interface Counts {
  apiKills: readonly [number, number];
  apiFreezes: readonly [number, number];
  workerKills: readonly [number, number];
  workerFreezes: readonly [number, number];
  redisFlushes: number;
  redisRestarts: number;
  redisHangs: number;
  postgresRestarts: number;
  postgresCrashes: number;
  smppDisconnects: number;
}

/** Two numbers are for the first and the second process. */
const COUNTS: Record<FaultPlanOptions['size'], Counts> = {
  small: {
    apiKills: [1, 0],
    apiFreezes: [0, 0],
    workerKills: [1, 0],
    workerFreezes: [0, 1],
    redisFlushes: 1,
    redisRestarts: 1,
    redisHangs: 0,
    postgresRestarts: 1,
    postgresCrashes: 0,
    smppDisconnects: 1,
  },
  full: {
    apiKills: [5, 5],
    apiFreezes: [2, 1],
    workerKills: [5, 5],
    workerFreezes: [2, 3],
    redisFlushes: 2,
    redisRestarts: 2,
    redisHangs: 1,
    postgresRestarts: 2,
    postgresCrashes: 1,
    smppDisconnects: 4,
  },
};

const CARRIER_EVERY_MS = 2_500;
const FAULTS_AT_ONCE = 3;

/** The faults of the carrier, with the behavior of the simulator for each. */
const CARRIER_FAULTS: readonly ((random: Random) => Behaviour)[] = [
  () => ({ accept_then_reset: 0.1 }),
  () => ({ accept_then_hang: 0.08 }),
  (random) => ({
    accept_then_hang: 0.08,
    accept_late_ms: random.between(200, LATEST_ACCEPTANCE_MS),
  }),
  () => ({ accept_then_500: 0.1 }),
  () => ({ html_403_accepted: 0.08 }),
  () => ({ mismatched_201: 0.05 }),
  () => ({ trial_prefix: 0.5 }),
  () => ({ reject_429: 0.15 }),
  () => ({ callback_drop: 0.4 }),
  () => ({ callback_duplicate: 0.5 }),
  () => ({ callback_shuffle: 0.7 }),
  (random) => ({ callback_delay_ms: random.between(100, 1_500) }),
  (random) => ({ latency_ms: random.between(50, 400) }),
];

/**
 * The first faults of a run, without other faults: an outage of the provider that is longer than
 * the hold, and an API frozen for longer than the database keeps an idle transaction.
 *
 * A 500 without acceptance uses up the one resend of a message; after a second fault, the message
 * correctly fails with `outcome_unknown`. The outage is this early so that no resend can be in flight
 * when the 500s begin.
 */
export const PROLOGUE_MS = 17_000;
const OUTAGE_MS = HOLD_MS + 5_000;
const OUTAGE_AT_MS = 1_000;
const FREEZE_RECEIVING = { atMs: 3_500, forMs: 11_000 };

/** Turns every fault off. A change affects only the fields that it names, so all fields are listed. */
export const NO_CARRIER_FAULTS: Behaviour = {
  latency_ms: 0,
  accept_then_reset: 0,
  accept_then_hang: 0,
  accept_then_500: 0,
  html_403_accepted: 0,
  mismatched_201: 0,
  trial_prefix: 0,
  accept_late_ms: 0,
  reject_429: 0,
  reject_500: 0,
  callback_drop: 0,
  callback_duplicate: 0,
  callback_shuffle: 0,
  callback_delay_ms: 0,
};

const OUTAGE: FaultTrack = [
  { atMs: OUTAGE_AT_MS, fault: { kind: 'provider_errors', provider: 'twilio', forMs: OUTAGE_MS } },
];
const FROZEN_API: FaultTrack = [
  {
    atMs: FREEZE_RECEIVING.atMs,
    fault: {
      kind: 'freeze_receiving',
      target: 'api-1',
      workspace: 0,
      forMs: FREEZE_RECEIVING.forMs,
    },
  },
];

export function planFaults(random: Random, options: FaultPlanOptions): FaultTrack[] {
  const { durationMs } = options;
  const counts = COUNTS[options.size];
  const spread = (faults: Fault[]) => spreadOver(random, durationMs, random.shuffle(faults));

  const tracks = [0, 1].flatMap((index) => [
    spread(
      planProcess(random, `api-${index + 1}`, counts.apiKills[index], counts.apiFreezes[index]),
    ),
    spread(
      planProcess(
        random,
        `worker-${index + 1}`,
        counts.workerKills[index],
        counts.workerFreezes[index],
      ),
    ),
  ]);
  tracks.push(
    spread([
      ...times(counts.postgresRestarts, () => ({
        kind: 'postgres_restart' as const,
        downMs: random.between(0, 1_500),
      })),
      ...times(counts.postgresCrashes, () => ({
        kind: 'postgres_crash' as const,
        downMs: random.between(0, 1_500),
      })),
    ]),
  );
  if (options.backend === 'redis') {
    tracks.push(
      spread([
        ...times(counts.redisFlushes, () => ({ kind: 'redis_flush' as const })),
        ...times(counts.redisRestarts, () => ({
          kind: 'redis_restart' as const,
          downMs: random.between(0, 3_000),
        })),
        ...times(counts.redisHangs, () => ({
          kind: 'redis_hang' as const,
          forMs: random.between(2_000, 5_000),
        })),
      ]),
    );
  }
  for (const provider of options.providers) {
    tracks.push(planCarrier(random, provider, durationMs));
    // With several providers, each of them is unreachable once even in a small run, so that messages
    // switch to another.
    if (options.size === 'small' && options.providers.length === 1) continue;
    const fault = { kind: 'provider_refuses' as const, provider, forMs: OUTAGE_MS };
    const track: FaultTrack = [{ atMs: random.between(0.3 * durationMs, 0.6 * durationMs), fault }];
    if (provider === 'smpp') {
      track.push(
        ...spread(
          times(counts.smppDisconnects, () => ({
            kind: 'smpp_disconnect' as const,
            downMs: random.between(0, 2_000),
          })),
        ),
      );
    }
    // In one track, because both faults close the same link.
    tracks.push(track.toSorted((a, b) => a.atMs - b.atMs));
  }
  return [
    OUTAGE,
    FROZEN_API,
    ...tracks.map((track) => track.map(({ atMs, fault }) => ({ atMs: PROLOGUE_MS + atMs, fault }))),
  ];
}

function planProcess(random: Random, target: string, kills = 0, freezes = 0): Fault[] {
  return [
    ...times(kills, () => ({ kind: 'kill' as const, target, downMs: random.between(0, 1_000) })),
    ...times(freezes, () => ({
      kind: 'freeze' as const,
      target,
      forMs: random.between(STOPPED_MS.min, STOPPED_MS.max),
    })),
  ];
}

/**
 * Changes the behavior of a provider periodically: a few faults at a time, and all of them in turn.
 */
function planCarrier(random: Random, provider: ProviderName, durationMs: number): FaultTrack {
  const track: FaultTrack = [];
  const left: (typeof CARRIER_FAULTS)[number][] = [];
  for (let atMs = 0; atMs < durationMs; atMs += CARRIER_EVERY_MS) {
    if (left.length < FAULTS_AT_ONCE) left.push(...random.shuffle(CARRIER_FAULTS));
    const behaviour = Object.assign(
      { ...NO_CARRIER_FAULTS, seed: random.between(1, 1_000_000) },
      ...left.splice(0, FAULTS_AT_ONCE).map((draw) => draw(random)),
    ) as Behaviour;
    track.push({ atMs, fault: { kind: 'carrier', provider, behaviour } });
  }
  return track;
}

/** Divides the time into equal spans, one for each fault, and places the fault at a random time in it. */
function spreadOver(random: Random, durationMs: number, faults: readonly Fault[]): FaultTrack {
  const span = durationMs / Math.max(faults.length, 1);
  return faults.map((fault, index) => ({
    atMs: Math.round((index + 0.1 + 0.6 * random.next()) * span),
    fault,
  }));
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

/**
 * Chooses the clock offset of a process that starts: half of the clocks are right, and the others are
 * minutes off.
 */
export function drawClockOffsetMs(random: Random): number {
  return random.chance(0.5) ? 0 : random.between(60, 300) * 1_000 * random.pick([1, -1]);
}

/** Chooses the clock offset of the carrier for a whole run. */
export function drawCarrierClock(random: Random): Behaviour {
  return { clock_offset_ms: random.pick([30_000, -30_000]) };
}
