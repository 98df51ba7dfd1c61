import { createHmac } from 'node:crypto';
import {
  type TestDatabase,
  type WorkspaceFixture,
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startSimulator,
  startWorker,
} from '@switchboard/testing';

export interface Stack {
  url: string;
  database: TestDatabase;
  /** Sends a request with the owner's session. Returns the JSON body; throws on an error response. */
  request<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Sends a request with the token of another session, or without one. */
  requestAs<Body>(
    token: string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body>;
  /** Delivers an inbound message. */
  receive(from: string, body: string, mediaUrls?: string[]): Promise<void>;
  /** The URL of the simulated carrier’s page and control routes. */
  simulatorUrl: string;
  /** The URL of a picture on the simulated carrier’s server. */
  pictureUrl: string;
  /** Sends a status callback with Twilio's signature. */
  sendStatusCallback(messageId: string, sid: string, status: string): Promise<void>;
  configureCarrier(behaviour: Record<string, number>): Promise<void>;
  /**
   * Adds a number to an account of the simulated carrier, by default the owner’s. Messages to the
   * number go to the URL.
   */
  ownNumber(
    number: string,
    smsUrl: string,
    account?: Pick<WorkspaceFixture, 'accountSid' | 'authToken'>,
  ): Promise<void>;
  owner: WorkspaceFixture;
  stop(): Promise<void>;
}

/**
 * Starts API, worker and simulator, and creates a workspace without a number. Unless the simulator stands for each vendor,
 * only Twilio can be reached.
 */
export async function startStack(
  settings: Record<string, string> = {},
  isEachVendorSimulated = false,
): Promise<Stack> {
  const database = await createTestDatabase();
  const simulator = await startSimulator();
  const shared = {
    DATABASE_URL: database.url,
    TWILIO_API_URL: simulator.url,
    SWEEP_MS: '200',
    ...(isEachVendorSimulated && { TELNYX_API_URL: simulator.url, VONAGE_API_URL: simulator.url }),
  };
  const api = await startApi({ ...shared, ...settings });
  const worker = await startWorker({ ...shared, PUBLIC_URL: api.url, ...settings });
  const owner = await createWorkspaceFixture(database.url, {
    email: 'ada@example.com',
    from: null,
  });

  async function send<Body>(url: string, method: string, token: string, body?: unknown) {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(60_000),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
    return (await response.json()) as Body;
  }

  return {
    url: api.url,
    database,
    owner,
    request: (method, path, body) => send(api.url + path, method, owner.sessionToken, body),
    requestAs: (token, method, path, body) => send(api.url + path, method, token ?? 'none', body),
    simulatorUrl: simulator.url,
    pictureUrl: `${simulator.url}/simulator/media/picture.png`,
    async receive(from, body, mediaUrls) {
      const message = { to: '+15005550006', from, body, media_urls: mediaUrls };
      await send(`${simulator.url}/simulator/inbound`, 'POST', 'none', message);
    },
    async sendStatusCallback(messageId, sid, status) {
      const { workspaceId, accountSid, authToken } = owner;
      const query = `message=${messageId}&attempt=1`;
      const url = `${api.url}/api/webhooks/twilio/${workspaceId}/status?${query}`;
      const fields = { AccountSid: accountSid, MessageSid: sid, MessageStatus: status };
      const signed = url + Object.entries(fields).flat().join('');
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
        },
        body: new URLSearchParams(fields),
      });
      if (!response.ok)
        throw new Error(`the API refused the status callback: ${await response.text()}`);
    },
    async configureCarrier(behaviour) {
      await send(`${simulator.url}/simulator/behaviour`, 'PUT', 'none', behaviour);
    },
    async ownNumber(number, smsUrl, { accountSid, authToken } = owner) {
      const path = `${simulator.url}/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers`;
      const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
      const headers = { authorization: `Basic ${basic}` };
      const query = new URLSearchParams({ PhoneNumber: number }).toString();
      const listed = await fetch(`${path}.json?${query}`, { headers });
      const { incoming_phone_numbers: found } = (await listed.json()) as {
        incoming_phone_numbers: { sid: string }[];
      };
      const body = new URLSearchParams({ SmsUrl: smsUrl });
      const set = await fetch(`${path}/${found[0]?.sid}.json`, { method: 'POST', headers, body });
      if (!set.ok) throw new Error(`the carrier refused the URL: ${await set.text()}`);
    },
    async stop() {
      await worker.stop();
      await api.stop();
      await simulator.stop();
      await database.drop();
    },
  };
}
