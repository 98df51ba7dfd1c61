import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';

/** A request that did not come to what its client wanted. */
export interface FailedRequest {
  what: string;
  atMs: number;
  /** The status and the body, or why there was no answer. */
  how: string;
}

export interface SteadyRecord {
  /** Of each message accepted: its workspace's index by its id. */
  accepted: ReadonlyMap<string, number>;
  reads: number;
  failures: readonly FailedRequest[];
  /** Of all requests that were answered, in the order they were begun. */
  latencies: readonly { atMs: number; durationMs: number }[];
  /** From the first to the last request. */
  seconds: number;
  /** The most that were under way at one time. */
  mostUnderWay: number;
}

export interface SteadyClient {
  /** Sends no more, waits for what is under way, and says what came of all. */
  stop(): Promise<SteadyRecord>;
}

export interface SteadyOptions {
  url: string;
  /** The authority that has signed the address's certificate. */
  ca: string;
  /** Messages take turns through them. */
  apiKeys: readonly string[];
  messagesPerSecond: number;
}

const TICK_MS = 10;
const TIMEOUT_MS = 15_000;
const CONNECTIONS = 128;
/** Each so many messages one that was accepted is read. */
const READ_EVERY = 20;

/**
 * Sends at one rate, whatever the answers, over connections that are kept alive. Nothing is tried
 * again and no message has an Idempotency-Key: what anybody between client and row repeats or
 * drops is seen.
 */
export function sendSteadily(options: SteadyOptions): SteadyClient {
  const { url, apiKeys, messagesPerSecond } = options;
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { ca: options.ca },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const startedAt = performance.now();
  const sinceStart = () => performance.now() - startedAt;
  const accepted = new Map<string, number>();
  const failures: FailedRequest[] = [];
  const latencies: { atMs: number; durationMs: number }[] = [];
  const underWay = new Set<Promise<void>>();
  let mostUnderWay = 0;
  let begun = 0;
  let reads = 0;
  let stopped = false;

  /** Resolves with the answer's body if it has the status that is wanted; else notes the failure. */
  async function ask(
    what: string,
    wanted: number,
    request: Omit<Dispatcher.RequestOptions, 'origin'>,
  ): Promise<string | null> {
    const atMs = sinceStart();
    try {
      const answer = await agent.request({
        ...request,
        origin: url,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await answer.body.text();
      latencies.push({ atMs, durationMs: sinceStart() - atMs });
      if (answer.statusCode === wanted) return text;
      failures.push({ what, atMs, how: `${answer.statusCode} ${text}` });
    } catch (error) {
      failures.push({ what, atMs, how: String(error) });
    }
    return null;
  }

  async function sendOne(number: number): Promise<void> {
    const workspace = number % apiKeys.length;
    const authorization = `Bearer ${apiKeys[workspace] ?? ''}`;
    const to = `+1415${String(2_000_000 + (number % 7_000_000))}`;
    const text = await ask(`message ${number}`, 201, {
      method: 'POST',
      path: '/api/messages',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ to, body: `Your order ${number} is on its way` }),
    });
    if (text === null) return;
    const { id } = JSON.parse(text) as { id: string };
    accepted.set(id, workspace);
    if (number % READ_EVERY !== 0) return;
    reads += 1;
    await ask(`reading message ${number}`, 200, {
      method: 'GET',
      path: `/api/messages/${id}`,
      headers: { authorization },
    });
  }

  async function sendOnTime(): Promise<void> {
    while (!stopped) {
      const due = Math.floor((sinceStart() * messagesPerSecond) / 1_000);
      for (; begun < due; begun += 1) {
        const one = sendOne(begun).finally(() => underWay.delete(one));
        underWay.add(one);
      }
      mostUnderWay = Math.max(mostUnderWay, underWay.size);
      await pause(TICK_MS);
    }
  }

  const sending = sendOnTime();
  return {
    async stop() {
      stopped = true;
      await sending;
      const seconds = sinceStart() / 1_000;
      await Promise.all(underWay);
      await agent.close();
      return { accepted, reads, failures, latencies, seconds, mostUnderWay };
    },
  };
}
