import { Agent, type RequestInit, Response, fetch } from 'undici';
import { createConnector } from './create-connector.ts';
import { limitResponses } from './limit-responses.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

export interface LimitedFetch {
  /** Like `fetch`, without redirects. Rejects if the complete response takes too long or is too large. */
  fetch(url: string, init: Omit<RequestInit, 'dispatcher' | 'redirect'>): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Creates a function for requests to a server that the operator named, in any network, through the proxy if
 * there is one.
 */
export function createLimitedFetch(options: {
  /** Limit for a complete request. */
  timeoutMs: number;
  /** Limit of the body, as it is sent and, if it is compressed, as it is read. */
  maxBytes: number;
  proxy: OutboundProxy | null;
}): LimitedFetch {
  const { timeoutMs, maxBytes, proxy } = options;
  const dispatcher = new Agent({
    connect: limitResponses(createConnector({ timeoutMs, proxy }), maxBytes),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async fetch(url, init) {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { ...init, redirect: 'manual', signal, dispatcher });
      return readWhole(response, maxBytes);
    },
    close: () => dispatcher.destroy(),
  };
}

/** Returns the response with its whole body, which `fetch` has decompressed. Rejects beyond the limit. */
async function readWhole(response: Response, maxBytes: number): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The response is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
