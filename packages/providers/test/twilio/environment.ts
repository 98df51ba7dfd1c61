import type { ProviderAdapter } from '@switchboard/core';
import { afterEach, beforeEach } from 'vitest';
import { createTwilioAdapter } from '../../src/twilio/twilio-adapter.ts';
import { respond, type FaultServer, startFaultServer } from '../fault-server.ts';
import { formatMessage, TWILIO_ACCOUNT as ACCOUNT } from '../twilio-responses.ts';

export const ROOT = `/2010-04-01/Accounts/${ACCOUNT.vendorAccountId}`;

export let server: FaultServer;
export let adapter: ProviderAdapter;

/**
 * Starts a server and an adapter for each test of the calling file. Files that share a process load this
 * module once, so each file registers its own hooks.
 */
export function useTwilioEnvironment(): void {
  beforeEach(async () => {
    server = await startFaultServer((received) => respond(received, 201, formatMessage()));
    adapter = createTwilioAdapter({ apiUrl: server.url, callTimeoutMs: 15_000 });
  });

  afterEach(async () => {
    await adapter.close();
    await server.close();
  });
}
