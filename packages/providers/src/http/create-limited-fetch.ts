import { Agent, type RequestInit, type Response, fetch } from 'undici';
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
      return fetch(url, { ...init, redirect: 'manual', signal, dispatcher });
    },
    close: () => dispatcher.destroy(),
  };
}
