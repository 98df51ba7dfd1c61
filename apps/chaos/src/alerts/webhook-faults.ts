import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Http } from '../http.ts';
import type { Fault } from './fault.ts';
import type { Service } from './start-service.ts';

const TIMEOUT_MS = 10_000;

/** Creates faults of the programs that receive workspace webhooks. */
export function createWebhookFaults({ api, workspaces }: Service, http: Http) {
  const endpointGone: Fault = {
    alerts: ['SwitchboardWebhookEndpointDisabled'],
    what: 'the receiver of a workspace webhook answers 410',
    async cause() {
      const receiver = createServer((_request, response) => response.writeHead(410).end());
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      // The load sends messages of this workspace.
      const added = await http.send(`${api.url}/api/webhook-endpoints`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspaces.busy.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
        timeoutMs: TIMEOUT_MS,
      });
      if (added.status !== 201) throw new Error(`The endpoint was not added: ${added.text}`);
      return async () => {
        receiver.closeAllConnections();
        receiver.close();
        await once(receiver, 'close');
      };
    },
  };

  return { endpointGone };
}
