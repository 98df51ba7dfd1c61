import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ConnectionOverrides, RetryReason } from './connection-overrides.ts';

export interface Webhook {
  overrides: ConnectionOverrides;
  /** Creates the request of one attempt, with its signature. */
  prepare(): {
    method: 'GET' | 'POST';
    url: string;
    headers: Record<string, string>;
    body: string | null;
  };
}

export interface WebhookResult {
  /** Null if there was no response. */
  status: number | null;
  /** The body if it is XML, otherwise empty. */
  twiml: string;
  attempts: number;
  error: string | null;
}

export interface WebhookSender {
  /** Sends the webhook with the configured retries. Never rejects. */
  send(webhook: Webhook): Promise<WebhookResult>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const MAX_BODY_BYTES = 64 * 1024;
/**
 * Enough that callbacks share the API with the connections of its clients. With as few connections as a load
 * generator has, each message needs two turns of a callback for one of its request, so callbacks queue up here.
 */
const CONNECTIONS_PER_HOST = 256;

export function createWebhookSender(): WebhookSender {
  let isClosed = false;
  // undici configures the connect timeout for an agent, not for a request.
  const agents = new Map<number, Agent>();
  function agentFor(connectTimeoutMs: number): Agent {
    let agent = agents.get(connectTimeoutMs);
    if (agent === undefined) {
      agent = new Agent({
        connections: CONNECTIONS_PER_HOST,
        connect: { timeout: connectTimeoutMs },
      });
      agents.set(connectTimeoutMs, agent);
    }
    return agent;
  }

  async function send(webhook: Webhook) {
    const { overrides } = webhook;
    const startedAt = Date.now();
    for (let attempts = 1; ; attempts += 1) {
      const leftMs = overrides.totalTimeoutMs - (Date.now() - startedAt);
      const tried = await trySend(webhook, Math.max(leftMs, 1));
      const pauseMs = FIRST_RETRY_MS * 2 ** (attempts - 1);
      const isLast =
        tried.reason === null ||
        !overrides.retryOn.has(tried.reason) ||
        attempts > overrides.retries ||
        Date.now() - startedAt + pauseMs >= overrides.totalTimeoutMs ||
        isClosed;
      if (isLast) return { ...tried.result, attempts };
      await delay(pauseMs, undefined, { ref: false });
    }
  }

  async function trySend({ overrides, prepare }: Webhook, leftMs: number) {
    const { url, ...prepared } = prepare();
    const readTimeoutMs = Math.min(overrides.readTimeoutMs, leftMs);
    try {
      const answer = await request(url, {
        ...prepared,
        dispatcher: agentFor(overrides.connectTimeoutMs),
        headersTimeout: readTimeoutMs,
        bodyTimeout: readTimeoutMs,
      });
      const status = answer.statusCode;
      const contentType = String(answer.headers['content-type'] ?? '');
      // Other bodies are read too, so that the connection can be reused.
      const isTwiml = contentType.includes('xml');
      const twiml = isTwiml ? await readText(answer.body) : '';
      if (!isTwiml) await answer.body.dump();
      return { reason: reasonOf(status), result: { status, twiml, error: null } };
    } catch (cause) {
      const error = cause instanceof Error ? cause.message || cause.name : String(cause);
      return {
        reason: reasonOfFailure(cause),
        result: { status: null, twiml: '', error },
      };
    }
  }

  return {
    send,
    async close() {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function reasonOf(status: number): RetryReason | null {
  return status >= 500 ? '5xx' : status >= 400 ? '4xx' : null;
}

/** Returns `rt` for a read timeout and `ct` for every other connection failure. */
function reasonOfFailure(cause: unknown): RetryReason {
  const code = (cause as { code?: unknown } | null)?.code;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' ? 'rt' : 'ct';
}

/** Returns the beginning of a body. The rest is read and discarded. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (length < MAX_BODY_BYTES) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES);
}
