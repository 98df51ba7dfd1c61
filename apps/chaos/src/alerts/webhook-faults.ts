import { listen } from '@switchboard/testing';
import { createServer } from 'node:http';
import type { Fault } from './fault.ts';
import type { Service } from './start-service.ts';

/** Creates faults of the programs that receive workspace webhooks. */
export function createWebhookFaults({ http, api, workspaces }: Service) {
  const endpointGone: Fault = {
    alerts: ['SwitchboardWebhookEndpointDisabled'],
    what: 'the receiver of a workspace webhook answers 410',
    async cause() {
      const server = createServer((_request, response) => response.writeHead(410).end());
      const receiver = await listen(server);
      // The load sends messages of this workspace.
      await http.call(`${api.url}/api/webhook-endpoints`, {
        method: 'POST',
        token: workspaces.busy.apiKey,
        body: { url: receiver.url },
      });
      return () => receiver.close();
    },
  };

  return { endpointGone };
}
