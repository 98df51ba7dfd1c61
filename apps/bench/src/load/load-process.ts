import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import type { LoadCredit, LoadPlan, LoadResult } from './load-plan.ts';
import { openRawConnection } from './raw-connection.ts';
import { PROGRAMS } from './programs.ts';

const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan;
const url = new URL(plan.url);
const { createRequest, acceptedStatus } = PROGRAMS[plan.program];

let begun = 0;
let done = 0;
let acceptedInTotal = 0;
const wake: (() => void)[] = [];
process.on('message', (credit: LoadCredit) => {
  done = credit.done;
  for (const resolve of wake.splice(0)) resolve();
});

process.once('disconnect', () => process.exit());

const latencies: number[] = [];
const answers: Record<string, number> = {};
const startedAt = performance.now();
const countsFrom = startedAt + plan.warmUpSeconds * 1000;
const endsAt = countsFrom + plan.seconds * 1000;

async function waitForCredit(): Promise<void> {
  const { window } = plan;
  while (window !== null && begun - done >= window && performance.now() < endsAt) {
    const waiting = new AbortController();
    const timeout = delay(100, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([timeout, new Promise<void>((resolve) => wake.push(resolve))]);
    waiting.abort();
  }
}

async function work(): Promise<void> {
  const connection = await openRawConnection(url.hostname, Number(url.port));
  while (performance.now() < endsAt && (plan.requests === null || begun < plan.requests)) {
    await waitForCredit();
    begun += 1;
    const sentAt = performance.now();
    const status = await connection.exchange(createRequest(plan, url, begun));
    const answeredAt = performance.now();
    if (status === acceptedStatus) acceptedInTotal += 1;
    if (answeredAt >= countsFrom && answeredAt < endsAt) {
      latencies.push(answeredAt - sentAt);
      answers[status] = (answers[status] ?? 0) + 1;
    }
    if (plan.pauseMs > 0) await delay(plan.pauseMs);
  }
  connection.close();
}

const idle = performance.eventLoopUtilization();
await Promise.all(Array.from({ length: plan.connections }, work));
const { utilization } = performance.eventLoopUtilization(idle);
const seconds = (Math.min(performance.now(), endsAt) - countsFrom) / 1000;
const result: LoadResult = {
  answers,
  acceptedPerSecond: (answers[acceptedStatus] ?? 0) / seconds,
  acceptedInTotal,
  latencyMs: {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: percentile(latencies, 1),
  },
  busy: utilization,
};
process.send?.(result, () => process.disconnect());
