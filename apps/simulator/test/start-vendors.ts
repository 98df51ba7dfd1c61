import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Auth } from '@vonage/auth';
import { Vonage } from '@vonage/server-sdk';
import Telnyx from 'telnyx';
import { EVENTUALLY, listen } from '@switchboard/testing';
import { onTestFinished, vi } from 'vitest';
import { makeDataDir, openSimulator } from './start-simulator.ts';

export interface ReceivedJson {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  content: Record<string, unknown>;
}

/** Starts a web server that records webhooks with JSON bodies. */
export async function startJsonReceiver(answer: (nth: number) => number = () => 200) {
  const received: ReceivedJson[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += String(chunk);
    const { url: path = '', headers } = request;
    received.push({ path, headers, body, content: JSON.parse(body) as Record<string, unknown> });
    response.writeHead(answer(received.length)).end();
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return {
    url,
    received,
    waitFor: (count: number) =>
      vi.waitFor(() => {
        if (received.length < count) throw new Error(`${received.length} of ${count} webhooks`);
      }, EVENTUALLY),
  };
}

/** Starts a simulator with an account at each vendor and the vendors' official clients. */
export async function startVendors(given?: { dataDir: string }) {
  const simulator = await openSimulator(given?.dataDir ?? (await makeDataDir()));
  const { url, dataDir, close } = simulator;

  async function control(method: string, path: string, body?: object) {
    const answer = await fetch(`${url}/simulator/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  const createAccount = async (type: 'telnyx' | 'vonage' | 'smpp' | 'http', more: object = {}) =>
    (await control('POST', 'accounts', { type, ...more })).body['credentials'] as Record<
      string,
      string
    >;

  const urls = simulator.providerUrls();
  return {
    url,
    urls,
    dataDir,
    close,
    control,
    createAccount,
    async createTelnyx() {
      const credentials = await createAccount('telnyx');
      const { api_key: apiKey = '', public_key: publicKey = '' } = credentials;
      const client = new Telnyx({
        apiKey,
        publicKey,
        baseURL: `${urls.telnyx}/v2`,
        maxRetries: 0,
        timeout: 25_000,
      });
      return { credentials, client };
    },
    async createVonage(more: object = {}) {
      const credentials = await createAccount('vonage', more);
      const auth = new Auth({
        applicationId: credentials['application_id'] ?? '',
        privateKey: credentials['private_key'] ?? '',
        apiKey: credentials['api_key'] ?? '',
        apiSecret: credentials['api_secret'] ?? '',
      });
      const hosts = { apiHost: urls.vonage, restHost: urls.vonage };
      return { credentials, client: new Vonage(auth, hosts) };
    },
  };
}
