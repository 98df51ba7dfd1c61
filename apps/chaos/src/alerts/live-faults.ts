import type { Http } from '../http.ts';
import type { Fault } from './fault.ts';
import { openSockets } from './open-sockets.ts';
import { startLoad } from './send-load.ts';
import type { Service } from './start-service.ts';

const SOCKETS = 8_050;
const SLOW_MS = 5_000;
const BURST_PER_SECOND = 50;

/** Creates faults of live views: views that lag, and too many of them. */
export function createLiveFaults(
  { api, otherApi, databaseProxy, workspaces }: Service,
  http: Http,
) {
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
      const stopBurst = startLoad({
        http,
        apiUrls: [api.url],
        workspace: workspaces.busy,
        perSecond: BURST_PER_SECOND,
      });
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

  return { readsSlowly, manySockets };
}
