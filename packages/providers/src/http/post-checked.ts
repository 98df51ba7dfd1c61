import { Agent, type Dispatcher } from 'undici';
import { createCheckedConnector } from './checked-connector.ts';
import { limitResponses } from './limit-responses.ts';
import { type AddressRules, RefusedError, createResolveAllowed } from './resolve-allowed.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import { parseRetryAfter } from './retry-after.ts';
import { type WebhookTargets } from './webhook-url.ts';

export interface CheckedPostOptions extends Pick<AddressRules, 'lookup'> {
  targets: WebhookTargets;
  /** Limit for the whole request, from the DNS lookup to the last byte of the response. */
  timeoutMs: number;
  proxy?: OutboundProxy | null;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string;
}

export type PostOutcome =
  | { kind: 'answered'; statusCode: number; retryAfterMs: number | null; excerpt: string }
  | { kind: 'refused' | 'failed'; detail: string };

export interface CheckedPost {
  /** Posts to a URL. Never rejects. Does not follow redirects. */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string; signal?: AbortSignal },
  ): Promise<PostOutcome>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
/** How many bytes of a response are kept. */
const EXCERPT_BYTES = 1_024;
/** A longer response closes the connection. */
const MAX_RESPONSE_BYTES = 64 * 1_024;

/**
 * Creates a client that posts to URLs of workspaces without reaching our own network (SSRF). Each new
 * connection resolves the host name once, checks all its addresses and uses one of those, so a host name
 * that changes its address later (DNS rebinding) is refused too. Connections are kept for later requests.
 */
export function createCheckedPost(options: CheckedPostOptions): CheckedPost {
  const { targets, timeoutMs, ca, proxy, lookup } = options;

  function createConnector(protocol: 'http:' | 'https:') {
    const rules = {
      isAllowed: (address: string) => targets.isAllowed(address, protocol),
      allowed: targets.allowed,
      ...(lookup !== undefined && { lookup }),
    };
    return createCheckedConnector({
      ...rules,
      timeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      ca,
      proxy,
      resolve: createResolveAllowed(rules),
    });
  }
  const connectPlain = createConnector('http:');
  const connectSecure = createConnector('https:');

  const agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    pipelining: 1,
    // The deadline of the whole request covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: limitResponses(
      (target, callback) =>
        (target.protocol === 'https:' ? connectSecure : connectPlain)(target, callback),
      MAX_RESPONSE_BYTES,
    ),
  });

  return {
    async post(url, { headers, body, signal }) {
      const refusal = targets.refuse(url);
      if (refusal !== null) return { kind: 'refused', detail: `The URL ${refusal}` };
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await agent.request({
          origin: new URL(url).origin,
          path: new URL(url).pathname + new URL(url).search,
          method: 'POST',
          headers,
          body,
          signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
        });
        return {
          kind: 'answered',
          statusCode: response.statusCode,
          retryAfterMs: parseRetryAfter(readHeader(response.headers['retry-after']), Date.now()),
          excerpt: await readExcerpt(response),
        };
      } catch (error) {
        if (error instanceof RefusedError) return { kind: 'refused', detail: error.message };
        if (deadline.aborted) {
          return { kind: 'failed', detail: `No complete response within ${timeoutMs / 1_000} s` };
        }
        const detail = error instanceof Error ? error.message : String(error);
        return { kind: 'failed', detail: `The connection failed: ${detail}` };
      }
    },
    close: () => agent.destroy(),
  };
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

/** Reads the beginning of a response as text, whatever its type. PostgreSQL stores no NUL. */
async function readExcerpt({ body }: Dispatcher.ResponseData): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (bytes < EXCERPT_BYTES) kept.push(chunk.subarray(0, EXCERPT_BYTES - bytes));
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(kept)).replaceAll('\0', '\u{FFFD}');
}
