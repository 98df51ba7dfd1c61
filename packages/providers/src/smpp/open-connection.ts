import { type LookupFunction, type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { AdapterOptions } from '../adapter-options.ts';
import { createResolveAllowed } from '../http/resolve-allowed.ts';
import type { SmppSettings } from './credentials.ts';

const CONNECT_TIMEOUT_MS = 5_000;

export type ConnectionOptions = Pick<
  AdapterOptions,
  'connectTimeoutMs' | 'isAllowedAddress' | 'ca'
>;

/** Opens a connection to an SMSC. Rejects with the reason, including an aborted signal. */
export type OpenConnection = (
  server: Pick<SmppSettings, 'host' | 'port' | 'tls'>,
  signal: AbortSignal,
) => Promise<Socket>;

/**
 * Creates the function that opens connections. It connects only to checked addresses, because the
 * owner of the account has entered the host.
 */
export function createOpenConnection(options: ConnectionOptions): OpenConnection {
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, isAllowedAddress, ca } = options;
  const resolveAllowed = createResolveAllowed({
    ...(isAllowedAddress !== undefined && { isAllowed: isAllowedAddress }),
  });

  return async function openConnection({ host, port, tls }, signal) {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)]);
    const addresses = await withSignal(resolveAllowed(host), ended);
    const lookup: LookupFunction = (_hostname, { all }, callback) => {
      const [first] = addresses;
      if (all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    };
    const target = { host, port, lookup, noDelay: true };
    const socket = tls
      ? connectTls({ ...target, ...(isIP(host) === 0 && { servername: host }), ca })
      : connectTcp(target);
    return withSignal(waitForConnection(socket, tls ? 'secureConnect' : 'connect'), ended, () =>
      socket.destroy(),
    );
  };
}

function waitForConnection(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // This listener stays, because an error before the session has its own must not end the
    // process.
    socket.on('error', reject);
    socket.once('close', () => {
      reject(new Error('The connection was closed before it was established'));
    });
    socket.once(event, () => resolve(socket));
  });
}

/** Rejects when the signal is aborted, even if the work never ends. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal, abandon?: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    function onAbort(): void {
      abandon?.();
      reject(new Error('No connection within the time limit'));
    }
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
