import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDERS, type Provider } from './provider.ts';

/** The path prefix of each provider's API. */
export const API_PREFIXES: Record<Provider, string> = {
  twilio: '/2010-04-01',
  telnyx: '/v2',
  vonage: '/v1',
};

/**
 * Creates the providers' own ports, which a fault can close. `handle` answers the requests of all
 * ports. Each port has only its provider's API.
 */
export function createProviderListeners(handle: RequestListener) {
  const servers = new Map<Provider, Server>();
  let ports: Partial<Record<Provider, number>> = {};
  let host = '127.0.0.1';
  // Opening and closing take turns, so that the last one holds.
  let lastChange = Promise.resolve();

  function serve(provider: Provider): Server {
    return createServer((request, response) => {
      if (request.url?.startsWith(`${API_PREFIXES[provider]}/`) === true) {
        return handle(request, response);
      }
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end('{"error":"not_found","detail":"This port has only a provider’s API"}');
    });
  }

  async function listen(provider: Provider, port: number): Promise<void> {
    const server = serve(provider);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    servers.set(provider, server);
    ports = { ...ports, [provider]: (server.address() as AddressInfo).port };
  }

  /** Opens the kept port, or a free one if another program uses it. */
  async function openFirst(provider: Provider): Promise<void> {
    try {
      await listen(provider, ports[provider] ?? 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await listen(provider, 0);
    }
  }

  async function reopen(provider: Provider): Promise<void> {
    if (!servers.has(provider)) await listen(provider, ports[provider] ?? 0);
  }

  async function close(provider: Provider): Promise<void> {
    const server = servers.get(provider);
    if (server === undefined) return;
    servers.delete(provider);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  function change(work: () => Promise<void>): Promise<void> {
    lastChange = lastChange.then(work, work);
    return lastChange;
  }

  return {
    /** Opens all ports: the given ones, or free ones in place of those in use. Returns them. */
    async listen(
      on: string,
      kept: Partial<Record<Provider, number>>,
    ): Promise<Record<Provider, number>> {
      host = on;
      ports = kept;
      await change(async () => {
        for (const provider of PROVIDERS) await openFirst(provider);
      });
      return ports as Record<Provider, number>;
    },

    /** Closes the ports of the providers that refuse connections, and opens the others. */
    refuse(refusing: (provider: Provider) => boolean): Promise<void> {
      return change(async () => {
        if (Object.keys(ports).length === 0) return;
        for (const provider of PROVIDERS) {
          await (refusing(provider) ? close(provider) : reopen(provider));
        }
      });
    },

    close: (): Promise<void> =>
      change(async () => {
        ports = {};
        for (const provider of PROVIDERS) await close(provider);
      }),
  };
}
