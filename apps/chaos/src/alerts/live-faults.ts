import { repeat } from '@switchboard/testing';
import { type Socket, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { openSockets } from './open-sockets.ts';
import { startLoad } from './send-load.ts';
import { CONNECTION_LIMIT, type Service } from './start-service.ts';

const SOCKETS = 8_050;
const SLOW_MS = 5_000;
const BURST_PER_SECOND = 50;
/** The limit is reached in ten seconds. Connections that are in use wait less for their next request. */
const CONNECTIONS_PER_SECOND = 100;

/** Creates faults of live views and of connections: views that lag, and too many of either. */
export function createLiveFaults({ http, api, otherApi, databaseProxy, workspaces }: Service) {
  const readsSlowly: Fault = {
    alerts: ['SwitchboardLiveViewLags'],
    what: `one API receives each response of its database ${SLOW_MS / 1_000} s late, while ${BURST_PER_SECOND} messages a second are sent`,
    async cause() {
      const closeSockets = await openSockets({
        url: otherApi.url,
        apiKey: workspaces.busy.apiKey,
        count: 1,
      });
      databaseProxy.setDelay(SLOW_MS);
      const stopBurst = startLoad(http, [api.url], workspaces.busy, BURST_PER_SECOND);
      return async () => {
        databaseProxy.setDelay(0);
        await stopBurst();
        await closeSockets();
      };
    },
  };

  const manySockets: Fault = {
    alerts: ['SwitchboardSocketsNearLimit'],
    what: `${SOCKETS} WebSockets on one API`,
    cause: () =>
      openSockets({ url: otherApi.url, apiKey: workspaces.quiet.apiKey, count: SOCKETS }),
  };

  const idleConnections: Fault = {
    alerts: ['SwitchboardConnectionLimit'],
    what: `${CONNECTIONS_PER_SECOND} connections a second without a request to one API, which allows ${CONNECTION_LIMIT}`,
    async cause() {
      const { hostname, port } = new URL(api.url);
      const open = new Set<Socket>();
      const stop = repeat(async () => {
        const socket = connect(Number(port), hostname);
        open.add(socket);
        socket.on('error', () => undefined); // Expected: the API closes connections.
        socket.once('close', () => open.delete(socket));
        await delay(1_000 / CONNECTIONS_PER_SECOND);
      });
      return async () => {
        await stop();
        for (const socket of open) socket.destroy();
      };
    },
  };

  return { readsSlowly, manySockets, idleConnections };
}
