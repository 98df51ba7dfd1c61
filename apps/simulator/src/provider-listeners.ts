import { type RequestListener, createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { PROVIDERS, type Provider } from './provider.ts';

/** The path prefix of the API of each provider with an HTTP API. */
export const API_PREFIXES: Record<Exclude<Provider, 'smpp'>, string> = {
  twilio: '/2010-04-01',
  telnyx: '/v2',
  vonage: '/v1',
  http: '/3rdparty/v1',
};

/** The prefixes of other paths of a provider's API. */
const OTHER_PATHS: Partial<Record<Provider, readonly string[]>> = {
  vonage: ['/account/numbers', '/v2/applications/'],
};

/** Whether a path belongs to the API of a provider. */
function isApiPath(provider: Exclude<Provider, 'smpp'>, path: string): boolean {
  const prefixes = [`${API_PREFIXES[provider]}/`, ...(OTHER_PATHS[provider] ?? [])];
  return prefixes.some((prefix) => path.startsWith(prefix));
}

interface Handlers {
  /** The port of the control API, to which `/` of the other HTTP ports redirects. */
  mainPort(): number;

  /** Answers the requests of all HTTP ports. */
  onRequest: RequestListener;
  /** Handles the connections of the SMPP port. */
  onSmppConnection(socket: Socket): void;
}

interface Listener {
  server: Server;
  connections: Set<Socket>;
}

/**
 * Creates the providers' own ports, which a fault can close. Each port has only its provider's API.
 */
export function createProviderListeners({ mainPort, onRequest, onSmppConnection }: Handlers) {
  const listeners = new Map<Provider, Listener>();
  let ports: Partial<Record<Provider, number>> = {};
  let host = '127.0.0.1';
  // Opening and closing run one after another, so that the last one takes effect.
  let lastChange = Promise.resolve();

  function serve(provider: Provider): Server {
    if (provider === 'smpp') return createServer(onSmppConnection);
    return createHttpServer((request, response) => {
      if (isApiPath(provider, request.url ?? '')) {
        return onRequest(request, response);
      }
      // The service knows only the ports of the providers, and links to the page with the phones.
      if (request.url === '/') {
        const { hostname } = new URL(`http://${request.headers.host ?? host}`);
        response.writeHead(302, { location: `http://${hostname}:${mainPort()}/` });
        return response.end();
      }
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end(
        '{"error":"not_found","detail":"This port serves only a provider’s API"}',
      );
    });
  }

  async function listen(provider: Provider, port: number): Promise<void> {
    const server = serve(provider);
    const connections = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      connections.add(socket);
      socket.on('close', () => connections.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    listeners.set(provider, { server, connections });
    ports = { ...ports, [provider]: (server.address() as AddressInfo).port };
  }

  /** Opens the port of the last start, or a free one if another program uses that port. */
  async function openFirst(provider: Provider): Promise<void> {
    try {
      await listen(provider, ports[provider] ?? 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await listen(provider, 0);
    }
  }

  async function reopen(provider: Provider): Promise<void> {
    if (!listeners.has(provider)) await listen(provider, ports[provider] ?? 0);
  }

  async function close(provider: Provider): Promise<void> {
    const listener = listeners.get(provider);
    if (listener === undefined) return;
    listeners.delete(provider);
    const closed = new Promise((resolve) => listener.server.close(resolve));
    for (const socket of listener.connections) socket.destroy();
    await closed;
  }

  function change(work: () => Promise<void>): Promise<void> {
    lastChange = lastChange.then(work, work);
    return lastChange;
  }

  return {
    /**
     * Opens all ports: the given ports, or a free port in place of one in use. Returns the ports.
     */
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
