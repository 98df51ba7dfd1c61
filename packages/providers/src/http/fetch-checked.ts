import type { MediaOutcome } from '@switchboard/core';
import { Client, type Dispatcher } from 'undici';
import { createConnector } from './create-connector.ts';
import { limitResponses } from './limit-responses.ts';
import type { Address } from './look-up-name.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import { type AddressRules, RefusedError, createResolveAllowed } from './resolve-allowed.ts';

export interface CheckedFetchOptions extends AddressRules {
  /** Limit for the whole fetch, from the first DNS lookup to the last byte. */
  timeoutMs: number;
  maxBytes: number;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string;
  proxy?: OutboundProxy | null | undefined;
}

export interface Trust {
  /**
   * Returns whether a URL is trusted: its addresses are not checked, and only trusted URLs receive
   * the credentials.
   */
  isTrusted(url: URL): boolean;
  authorization: string;
}

/**
 * Fetches a URL. Never rejects. Reading the body fails when it is too large, too slow or
 * incomplete.
 */
export type CheckedFetch = (url: string, trust: Trust) => Promise<MediaOutcome>;

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a URL that comes from outside without reaching our own network (SSRF): resolves the host
 * name of each hop once, checks all its addresses, and connects to one of them.
 */
export function createCheckedFetch(options: CheckedFetchOptions): CheckedFetch {
  const resolveAllowed = createResolveAllowed(options);

  /** Returns the addresses that a connection may use; null means any address of the name. */
  async function check(url: URL, isTrusted: boolean): Promise<Address[] | null> {
    if (isTrusted) return null;
    if (url.protocol !== 'https:') throw new RefusedError('Only https URLs are fetched');
    if (url.username !== '' || url.password !== '') {
      throw new RefusedError('URLs with credentials are not fetched');
    }
    return resolveAllowed(url.hostname);
  }

  async function run(start: string, trust: Trust, signal: AbortSignal) {
    let url = parse(start);
    let isTrusted = true;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      // After a redirect to another host, a redirect back to the trusted one is no longer trusted.
      isTrusted &&= trust.isTrusted(url);
      const addresses = await orAbort(check(url, isTrusted), signal);
      const client = connect(url, addresses, options);
      signal.addEventListener('abort', () => void client.destroy(), { once: true });
      try {
        const response = await client.request({
          method: 'GET',
          path: url.pathname + url.search,
          headers: {
            accept: '*/*',
            'accept-encoding': 'identity',
            ...(isTrusted && { authorization: trust.authorization }),
          },
          signal,
        });
        const location = response.headers['location'];
        if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
          return await toMediaOutcome(response, client, options.maxBytes);
        }
        await discard(response, client);
        url = parse(location, url);
      } catch (error) {
        await client.destroy();
        throw error;
      }
    }
    throw new RefusedError(`The URL redirects more than ${MAX_REDIRECTS} times`);
  }

  return async function fetchChecked(url, trust) {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await run(url, trust, signal);
    } catch (error) {
      if (error instanceof RefusedError) return { kind: 'refused', detail: error.message };
      const detail = signal.aborted
        ? `No response within ${options.timeoutMs} ms`
        : `The connection failed: ${error instanceof Error ? error.message : String(error)}`;
      return { kind: 'unavailable', detail };
    }
  };
}

function parse(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new RefusedError('The URL is malformed');
  return new URL(address, base);
}

/** Creates a client for one request. The addresses that it connects to are already decided. */
function connect(
  url: URL,
  addresses: Address[] | null,
  { ca, proxy, maxBytes }: CheckedFetchOptions,
): Client {
  return new Client(url.origin, {
    pipelining: 1,
    // The deadline of the whole fetch covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: limitResponses(
      createConnector({
        timeoutMs: CONNECT_TIMEOUT_MS,
        ca,
        proxy,
        resolve: addresses === null ? undefined : () => Promise.resolve(addresses),
      }),
      maxBytes,
    ),
  });
}

async function toMediaOutcome(
  response: Dispatcher.ResponseData,
  client: Client,
  maxBytes: number,
): Promise<MediaOutcome> {
  const { statusCode, headers } = response;
  const contentType = headers['content-type'];
  const announced = Number(headers['content-length'] ?? Number.NaN);
  if (statusCode === 200 && !(announced > maxBytes)) {
    return {
      kind: 'found',
      contentType: typeof contentType === 'string' ? contentType : null,
      contentLength: Number.isSafeInteger(announced) ? announced : null,
      body: readUpTo(maxBytes, response, client),
    };
  }
  await discard(response, client);
  if (statusCode === 200) {
    return { kind: 'refused', detail: `The file is larger than ${maxBytes} bytes` };
  }
  if (statusCode === 404 || statusCode === 410) return { kind: 'missing' };
  return { kind: 'unavailable', detail: `The response status was ${statusCode}` };
}

async function* readUpTo(maxBytes: number, { body }: Dispatcher.ResponseData, client: Client) {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`The file is larger than ${maxBytes} bytes`);
      yield chunk;
    }
  } finally {
    await client.destroy();
  }
}

async function discard({ body }: Dispatcher.ResponseData, client: Client): Promise<void> {
  body.on('error', () => undefined).destroy();
  await client.destroy();
}

/** A DNS lookup cannot be canceled, only ignored. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
