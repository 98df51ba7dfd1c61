import { Agent, fetch } from 'undici';
import { createConnector } from './create-connector.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

/** Makes a GET request to a URL of the operator. Redirects are not followed. */
export type OutboundFetch = (
  url: string,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: { get(name: string): string | null }; body: string }>;

/** Creates a function that makes single requests as the service does, through the proxy if there is one. */
export function createOutboundFetch(options: {
  timeoutMs: number;
  proxy: OutboundProxy | null;
}): OutboundFetch {
  const { timeoutMs, proxy } = options;
  return async (url, headers = {}) => {
    const dispatcher = new Agent({ connect: createConnector({ timeoutMs, proxy }) });
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { redirect: 'manual', headers, signal, dispatcher });
      return {
        status: response.status,
        headers: response.headers,
        body: await response.text(),
      };
    } finally {
      await dispatcher.destroy();
    }
  };
}
