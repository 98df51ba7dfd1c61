import { repeat } from '@switchboard/testing';
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { startLoad } from './send-load.ts';
import { BEYOND_THE_HOLD_MS, type Service } from './start-service.ts';

const FORGE_EVERY_MS = 200;
const LOCKED_OUT_PER_SECOND = 5;
/** Shorter than the timeout of a call, so that no outcome is unknown and no circuit breaker opens. */
const SLOW_ANSWER_MS = 2_500;
/** Several times the capacity of the workers while each call takes `SLOW_ANSWER_MS`. */
const BEYOND_CAPACITY_PER_SECOND = 60;

/** Creates faults of a provider that is down, refuses calls, is slow, hangs or sends no callbacks. */
export function createProviderFaults(service: Service) {
  const { http, simulator, carrier, api, workspaces } = service;

  const unreachable: Fault = {
    alerts: ['SwitchboardProviderFailing', 'SwitchboardProviderAccountFailing'],
    what: 'the provider’s process is killed, so connections are refused',
    async cause() {
      await simulator.crash();
      return () => simulator.start();
    },
  };

  const throttles: Fault = {
    alerts: ['SwitchboardProviderThrottles'],
    what: 'the provider answers 429',
    async cause() {
      await carrier.behave({ reject_429: 1 });
      return () => carrier.behave({ reject_429: 0 });
    },
  };

  const oneThrottles: Fault = {
    alerts: ['SwitchboardProviderShareDropped'],
    what: 'one of two providers answers 429, so the other one carries its share',
    async cause() {
      await carrier.behave({ reject_429: 1 }, 'telnyx');
      return () => carrier.behave({ reject_429: 0 }, 'telnyx');
    },
  };

  const acceptsLate: Fault = {
    alerts: [
      'SwitchboardOutcomesUnknown',
      'SwitchboardAccountOutcomesUnknown',
      'SwitchboardMessagesUnresolved',
      'SwitchboardDuplicate',
    ],
    what: 'the provider hangs on one call in seven and accepts those messages after the hold',
    async cause() {
      await carrier.behave({ accept_then_hang: 0.15, accept_late_ms: BEYOND_THE_HOLD_MS });
      return () => carrier.behave({ accept_then_hang: 0, accept_late_ms: 0 });
    },
  };

  const slow: Fault = {
    alerts: ['SwitchboardMessagesWait'],
    what: `the provider takes ${SLOW_ANSWER_MS / 1_000} s for each call, while ${BEYOND_CAPACITY_PER_SECOND} messages a second are sent`,
    async cause() {
      await carrier.behave({ latency_ms: SLOW_ANSWER_MS });
      const stop = startLoad(http, [api.url], workspaces.busy, BEYOND_CAPACITY_PER_SECOND);
      return async () => {
        await stop();
        await carrier.behave({ latency_ms: 0 });
      };
    },
  };

  const callbacksDropped: Fault = {
    alerts: ['SwitchboardCallbacksMissing'],
    what: 'no callback from the provider arrives',
    async cause() {
      await carrier.behave({ callback_drop: 1 });
      return () => carrier.behave({ callback_drop: 0 });
    },
  };

  const callbacksForged: Fault = {
    alerts: ['SwitchboardCallbacksRefused'],
    what: 'callbacks signed with another token, five per second',
    async cause() {
      const { workspaceId, accountSid } = workspaces.busy;
      const url = `${api.url}/api/webhooks/twilio/${workspaceId}/status`;
      const signature = createHmac('sha1', 'another token').update(url).digest('base64');
      const fields = { AccountSid: accountSid, MessageSid: 'SM0', MessageStatus: 'delivered' };
      return repeat(async () => {
        await http.send(url, {
          method: 'POST',
          headers: { 'x-twilio-signature': signature },
          body: new URLSearchParams(fields),
        });
        await delay(FORGE_EVERY_MS);
      });
    },
  };

  async function enterToken(authToken: string): Promise<void> {
    const { workspaceId, sessionToken: token, accountSid } = workspaces.lockedOut;
    await http.call(`${api.url}/api/ui/workspaces/${workspaceId}/provider`, {
      method: 'PUT',
      token,
      body: { type: 'twilio', account_sid: accountSid, auth_token: authToken },
    });
  }

  const credentialsRefused: Fault = {
    alerts: ['SwitchboardCredentialsRefused'],
    what: 'one workspace has a wrong auth token and continues to send',
    async cause() {
      const { accountSid, authToken } = workspaces.lockedOut;
      // The simulator creates an account on its first call, with the token of that call.
      await carrier.readStatuses({ accountSid, authToken });
      await enterToken('not-the-token-of-this-account');
      const stop = startLoad(http, [api.url], workspaces.lockedOut, LOCKED_OUT_PER_SECOND);
      return async () => {
        await stop();
        await enterToken(authToken);
      };
    },
  };

  return {
    unreachable,
    throttles,
    oneThrottles,
    acceptsLate,
    slow,
    callbacksDropped,
    callbacksForged,
    credentialsRefused,
  };
}
