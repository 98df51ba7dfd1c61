import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@switchboard/testing/percentile';
import { readPlan } from './program.ts';
import { openRawConnection } from './raw-connection.ts';

/** The plan of the load generator. */
export interface LoadPlan {
  /** The URL of the API, or of Kannel's `sendsms` with its credentials. */
  url: string;
  /** How requests are written: POST /api/messages, or as Kannel expects them. */
  program: 'service' | 'kannel';
  /** Used in turn. Kannel has none. */
  apiKeys: readonly string[];
  /** The number of messages in a request. With more than one, the service gets batches. */
  batch: number;
  connections: number;
  /** The duration of the load after the warm-up, which is not measured. */
  seconds: number;
  warmUpSeconds: number;
  /** The pause between two requests of one connection. 0 sends the next one after the response. */
  pauseMs: number;
  /** The maximum number of requests, including the warm-up. Null for no limit. */
  requests: number | null;
  /** The maximum number of unfinished requests. Null for no limit. Messages `{ done }` report finished ones. */
  window: number | null;
}

export interface LoadResult {
  /** The number of responses by status, after the warm-up, except for accepted messages. */
  refused: Record<string, number>;
  /** Accepted messages per second, after the warm-up. */
  acceptedPerSecond: number;
  /** The number of accepted messages, including the warm-up. */
  acceptedInTotal: number;
  /** The latencies of all requests after the warm-up, in milliseconds. */
  latencyMs: { p50: number; p99: number };
  /** The share of time in which the generator was busy, 0 to 1. Near 1, the generator is the bottleneck. */
  busy: number;
}

const plan = readPlan() as LoadPlan;
const { hostname, port, pathname, search } = new URL(plan.url);
const accepted = plan.program === 'service' ? 201 : 202;

const recipientOf = (number: number) => `+1202${String(number % 10_000_000).padStart(7, '0')}`;
const textOf = (number: number) => `Your table for two is booked, number ${number}.`;
const sendOf = (number: number) => `{"to":"${recipientOf(number)}","body":"${textOf(number)}"}`;

/** Writes the whole request with this number. */
function createRequest(number: number): string {
  const to = recipientOf(number);
  const text = textOf(number);
  if (plan.program === 'kannel') {
    const words = text.replaceAll(' ', '+').replace(',', '%2C');
    const query = `${search}&from=%2B15005550006&to=${encodeURIComponent(to)}&text=${words}`;
    return `GET ${pathname}${query} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`;
  }
  const key = plan.apiKeys[number % plan.apiKeys.length];
  const { batch } = plan;
  const sends = Array.from({ length: batch }, (_, n) => sendOf(number * batch + n));
  const body = batch === 1 ? sendOf(number) : `{"messages":[${sends.join(',')}]}`;
  return (
    `POST /api/messages${batch === 1 ? '' : '/batch'} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

let begun = 0;
let done = 0;
let acceptedInTotal = 0;
const wake: (() => void)[] = [];
process.on('message', (credit: { done: number }) => {
  done = credit.done;
  for (const resolve of wake.splice(0)) resolve();
});

const latencies: number[] = [];
const refused: LoadResult['refused'] = {};
const countsFrom = performance.now() + plan.warmUpSeconds * 1000;
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
  const connection = await openRawConnection(hostname, Number(port));
  while (performance.now() < endsAt && (plan.requests === null || begun < plan.requests)) {
    await waitForCredit();
    begun += 1;
    const sentAt = performance.now();
    const status = await connection.exchange(createRequest(begun));
    const respondedAt = performance.now();
    if (status === accepted) acceptedInTotal += plan.batch;
    if (respondedAt >= countsFrom && respondedAt < endsAt) {
      latencies.push(respondedAt - sentAt);
      if (status !== accepted) refused[status] = (refused[status] ?? 0) + 1;
    }
    if (plan.pauseMs > 0) await delay(plan.pauseMs);
  }
  connection.close();
}

const idle = performance.eventLoopUtilization();
await Promise.all(Array.from({ length: plan.connections }, work));
const seconds = (Math.min(performance.now(), endsAt) - countsFrom) / 1000;
process.send?.({
  refused,
  acceptedPerSecond: (latencies.length * plan.batch) / seconds,
  acceptedInTotal,
  latencyMs: { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
  busy: performance.eventLoopUtilization(idle).utilization,
} satisfies LoadResult);
