import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import twilio from 'twilio';
import { onTestFinished } from 'vitest';
import { createSimulator } from '../src/app.ts';

export const FROM = '+15005550006';

export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simulator-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Starts a simulator for one test. */
export async function openSimulator(dataDir: string) {
  const simulator = createSimulator({ dataDir });
  const url = await simulator.listen();
  let isClosed = false;
  async function close(): Promise<void> {
    if (!isClosed) await simulator.close();
    isClosed = true;
  }
  onTestFinished(close);
  return { url, dataDir, close, providerUrls: () => simulator.providerUrls() };
}

/** Starts a simulator for one test, with the official client of a new account. */
export async function startSimulator(given?: {
  dataDir: string;
  accountSid: string;
  token: string;
}) {
  const { url, dataDir, close } = await openSimulator(given?.dataDir ?? (await makeDataDir()));
  const accountSid = given?.accountSid ?? makeAccountSid();
  const token = given?.token ?? randomBytes(16).toString('hex');
  return { url, dataDir, accountSid, token, close, client: createClient(url, accountSid, token) };
}

export function makeAccountSid(): string {
  return `AC${randomBytes(16).toString('hex')}`;
}

/**
 * Creates the official client. Only the host of its requests is changed. On a busy machine, a
 * response may take seconds.
 */
export function createClient(url: string, accountSid: string, token: string, timeout = 25_000) {
  const httpClient = new twilio.RequestClient({ timeout });
  const request = httpClient.request.bind(httpClient);
  httpClient.request = (options) =>
    request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) });
  return twilio(accountSid, token, { httpClient });
}

export async function setBehaviour(url: string, behaviour: unknown): Promise<Response> {
  return fetch(`${url}/simulator/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
}

export interface LedgerLine {
  provider: string;
  sid: string;
  account_sid: string;
  to: string;
  from: string | null;
  body: string;
  accepted_at: string;
}

export async function readLedger(url: string): Promise<LedgerLine[]> {
  return (await readLines(`${url}/simulator/ledger`)) as LedgerLine[];
}

export async function readInboundLedger(url: string): Promise<unknown[]> {
  return readLines(`${url}/simulator/inbound-ledger`);
}

async function readLines(url: string): Promise<unknown[]> {
  const text = await (await fetch(url)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
