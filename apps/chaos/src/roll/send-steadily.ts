import { callAtRate } from '@switchboard/testing';
import { Agent, type Dispatcher } from 'undici';

/** A request that did not get the expected response. */
export interface FailedRequest {
  what: string;
  atMs: number;
  /** The status and the body of the response, or the error. */
  how: string;
}

export interface SteadyRecord {
  /** The index of the workspace by the id of each accepted message. */
  accepted: ReadonlyMap<string, number>;
  reads: number;
  failures: readonly FailedRequest[];
  /** The latencies of all requests with a response, in the order of the responses. */
  latencies: readonly { atMs: number; durationMs: number }[];
  /** From the first to the last request. */
  seconds: number;
  /** The highest number of concurrent requests. */
  maxInFlight: number;
}

export interface SteadyClient {
  /** Stops sending, waits for the requests in flight, and returns the record of all requests. */
  stop(): Promise<SteadyRecord>;
}

export interface SteadyOptions {
  url: string;
  /** The certificate authority (CA) that issued the server's certificate. */
  ca: string;
  /** Used in turn. */
  apiKeys: readonly string[];
  messagesPerSecond: number;
}

const TIMEOUT_MS = 15_000;
const CONNECTIONS = 128;
/** One in this many accepted messages is read again. */
const READ_EVERY = 20;

/**
 * Sends at a constant rate over connections that are kept alive. It never retries, and no message has
 * an Idempotency-Key, so that every repeated or lost request between client and database is detected.
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
  let inFlight = 0;
  let maxInFlight = 0;
  let reads = 0;

  /** Returns the body of a response with the expected status. Otherwise records a failure and returns null. */
  async function sendRequest(
    what: string,
    expectedStatus: number,
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
      if (answer.statusCode === expectedStatus) return text;
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
    const text = await sendRequest(`message ${number}`, 201, {
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
    await sendRequest(`reading message ${number}`, 200, {
      method: 'GET',
      path: `/api/messages/${id}`,
      headers: { authorization },
    });
  }

  const stopSending = callAtRate(messagesPerSecond, async (number) => {
    inFlight += 1;
    maxInFlight = Math.max(maxInFlight, inFlight);
    await sendOne(number);
    inFlight -= 1;
  });
  return {
    async stop() {
      const seconds = sinceStart() / 1_000;
      await stopSending();
      await agent.close();
      return { accepted, reads, failures, latencies, seconds, maxInFlight };
    },
  };
}
