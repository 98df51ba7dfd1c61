import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ConnectionOverrides, RetryReason } from './connection-overrides.ts';
import { signRequest } from './sign-request.ts';

export interface Webhook {
  /** The URL without its fragment. */
  url: string;
  overrides: ConnectionOverrides;
  method: 'GET' | 'POST';
  fields: Record<string, string>;
  /** The account's token, which is the key of the signature. */
  token: string;
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
  send(webhook: Webhook, idempotencyToken?: string): Promise<WebhookResult>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const MAX_BODY_BYTES = 64 * 1024;
const CONNECTIONS_PER_HOST = 64;

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

  async function send(webhook: Webhook, idempotencyToken: string = randomUUID()) {
    const { overrides } = webhook;
    const startedAt = Date.now();
    for (let attempts = 1; ; attempts += 1) {
      const leftMs = overrides.totalTimeoutMs - (Date.now() - startedAt);
      const tried = await trySend(webhook, idempotencyToken, Math.max(leftMs, 1));
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

  async function trySend(webhook: Webhook, idempotencyToken: string, leftMs: number) {
    const { method, fields, overrides } = webhook;
    const form = new URLSearchParams(fields).toString();
    const isPost = method === 'POST';
    const url = isPost
      ? webhook.url
      : `${webhook.url}${webhook.url.includes('?') ? '&' : '?'}${form}`;
    const readTimeoutMs = Math.min(overrides.readTimeoutMs, leftMs);
    try {
      const answer = await request(url, {
        method,
        dispatcher: agentFor(overrides.connectTimeoutMs),
        headers: {
          'user-agent': 'TwilioProxy/1.1',
          accept: '*/*',
          'x-twilio-signature': signRequest(webhook.token, url, isPost ? fields : {}),
          'i-twilio-idempotency-token': idempotencyToken,
          ...(isPost && { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }),
        },
        body: isPost ? form : null,
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
