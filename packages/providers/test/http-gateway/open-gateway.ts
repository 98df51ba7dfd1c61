import { LOOPBACK_NETWORKS, type SendRequest } from '@switchboard/core';
import { onTestFinished } from 'vitest';
import { createHttpGatewayAdapter } from '../../src/http-gateway/http-gateway-adapter.ts';
import { createAddressRule } from '../../src/http/public-address.ts';
import { formatResponse, startFaultServer } from '../fault-server.ts';
import { DESCRIPTION, createGatewayAccount, moveAccount } from './gateway-account.ts';

const LOOPBACK = createAddressRule(LOOPBACK_NETWORKS);
const MESSAGE_ID = '0197a000-0000-7000-8000-000000000001';

const REQUEST: SendRequest = {
  messageId: MESSAGE_ID,
  attempt: 1,
  to: '+447700900123',
  from: '+15557654321',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: `https://x.example/api/webhooks/http/p/status?message=${MESSAGE_ID}&attempt=1`,
};

/** The response of a gateway. Characters of the body are bytes. */
export interface Reply {
  status?: number;
  body?: string;
  type?: string;
}

/** Starts a gateway with one response to all messages, and returns a function that sends one message through it. */
export async function openGateway({ status = 202, body = '{"id":"g-1"}', type }: Reply = {}) {
  const server = await startFaultServer(({ socket }) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    socket.write(formatResponse(status, body, headers, body.length), 'latin1');
  });
  const adapter = createHttpGatewayAdapter({
    apiUrl: null,
    callTimeoutMs: 15_000,
    isAllowedAddress: LOOPBACK,
  });
  onTestFinished(async () => {
    await adapter.close();
    await server.close();
  });
  return async function send(
    template: object = {},
    message: Partial<SendRequest> = {},
    sections: object = {},
  ) {
    const account = createGatewayAccount({
      send: { ...DESCRIPTION.send, ...template },
      ...sections,
    });
    const request = { ...REQUEST, ...message };
    const outcome = await adapter.send(moveAccount(account, server.url), request, () => true);
    return { outcome, received: server.requests.at(-1) };
  };
}
