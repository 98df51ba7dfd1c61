import type {
  ProviderAccount,
  ProviderAdapter,
  ProviderSessionState,
  SendOutcome,
  SendRequest,
  SessionInbound,
  DeliveryProblem,
  StatusCallback,
} from '@switchboard/core';
import { EVENTUALLY } from '@switchboard/testing';
import { onTestFinished, vi } from 'vitest';
import type { AdapterOptions } from '../../src/adapter-options.ts';
import { createSmppAdapter } from '../../src/smpp/smpp-adapter.ts';
import { TIMINGS, type Timings } from '../../src/smpp/timings.ts';
import { readCredentials } from '../read-credentials.ts';

export const REQUEST: SendRequest = {
  messageId: '0197a000-0000-7000-8000-000000000001',
  attempt: 1,
  to: '+15551234567',
  from: '+15557654321',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: 'https://switchboard.example/status?message=1&attempt=1',
};

export const CREDENTIALS = {
  host: '127.0.0.1',
  port: 2775,
  tls: false,
  system_id: 'switchboard',
  password: 'a secret of many characters',
};

/** Short pauses between connections. */
const QUICK = { firstPauseMs: 20, longestPauseMs: 100, refusedPauseMs: 200, throttledPauseMs: 20 };

export interface SmppOptions extends Partial<AdapterOptions> {
  timings?: Partial<Timings>;
}

/** Creates an adapter that may connect to this machine; closed when the test ends. */
export function createAdapter({ timings, ...options }: SmppOptions = {}): ProviderAdapter {
  const adapter = createSmppAdapter(
    { apiUrl: null, callTimeoutMs: 20_000, isAllowedAddress: () => true, ...options },
    { ...TIMINGS, ...QUICK, ...timings },
  );
  onTestFinished(() => adapter.close());
  return adapter;
}

export function createAccount(adapter: ProviderAdapter, credentials: object): ProviderAccount {
  return readCredentials(adapter, { ...CREDENTIALS, ...credentials }).account;
}

/** Opens a session and records what it receives. `store` may delay or refuse to store something. */
export function openSession(
  adapter: ProviderAdapter,
  account: ProviderAccount,
  store: () => Promise<void> = async () => undefined,
) {
  const statuses: StatusCallback[] = [];
  const inbound: SessionInbound[] = [];
  const problems: DeliveryProblem[] = [];
  const states: ProviderSessionState[] = [];
  const lease = { isHeld: true };
  const { sessions } = adapter;
  if (sessions === null) throw new Error('The adapter has no sessions');
  const session = sessions.open(
    account,
    {
      async onStatus(callback) {
        statuses.push(callback);
        await store();
      },
      async onInbound(message) {
        inbound.push(message);
        await store();
      },
      onProblem: (problem) => void problems.push(problem),
      onStateChange: (state) => void states.push(state),
    },
    () => lease.isHeld,
  );
  const waitFor = (kind: ProviderSessionState['kind']) =>
    vi.waitFor(() => {
      if (session.state.kind !== kind) throw new Error(JSON.stringify(session.state));
    }, EVENTUALLY);
  return { session, statuses, inbound, problems, states, lease, waitFor };
}

/** Creates an adapter with a bound session to the SMSC at the port. */
export async function openSmpp(
  port: number,
  {
    credentials = {},
    store,
    ...options
  }: SmppOptions & { credentials?: object; store?(): Promise<void> } = {},
) {
  const adapter = createAdapter(options);
  const account = createAccount(adapter, { port, ...credentials });
  const opened = openSession(adapter, account, store);
  await opened.waitFor('bound');
  return {
    ...opened,
    adapter,
    account,
    send: (request: Partial<SendRequest> = {}, mayWrite = () => true): Promise<SendOutcome> =>
      adapter.send(account, { ...REQUEST, ...request }, mayWrite),
  };
}
