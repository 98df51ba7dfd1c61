import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WorkspaceFixture } from '@switchboard/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { sign } from '../call-back.ts';
import { documentedRoutes, findUndocumented, isProviderWebhook } from '../documented.ts';
import { type Service, ask } from '../start-service.ts';
import {
  VENDORS,
  type VendorAccount,
  addVendorAccount,
  signAs,
  vendorOf,
} from '../vendor-account.ts';
import { type FuzzRequest, OWN_ACCOUNT, fuzzRequest } from './arbitrary-request.ts';
import { OWN_MESSAGE, OWN_NUMBER } from './arbitrary-value.ts';

const CONCURRENCY = 10;
/**
 * The requests per workspace. After these, the workspace may have no session, provider or numbers
 * left.
 */
const REQUESTS_PER_WORKSPACE = 200;

interface Subject {
  ours: WorkspaceFixture;
  theirs: WorkspaceFixture;
  resources: Record<string, string>;
  vendors: VendorAccount[];
}

interface Subjects {
  /** Receives all other requests. */
  main: Subject;
  /** Receives the webhooks, and no request that would replace or remove their provider. */
  isolated: Subject;
}

/** The settings of the service: no rate limits and no reachable provider. */
export const FUZZ_ENV = {
  RATE_LIMIT_MESSAGING: '1000000',
  RATE_LIMIT_UI: '1000000',
  ALLOW_SIGNUP: 'true',
  TWILIO_API_URL: 'http://127.0.0.1:1',
  TELNYX_API_URL: 'http://127.0.0.1:1',
  VONAGE_API_URL: 'http://127.0.0.1:1',
  TRUST_PROXY: '1',
  LOG_LEVEL: 'error',
};

export interface FuzzCounts {
  /** The number of responses by status. */
  statuses: Map<number, number>;
  /** The number of 2xx responses by route. */
  accepted: Map<string, number>;
}

/** Sends generated requests. Throws at the first response that is a 5xx or not documented. */
export async function runFuzz(
  service: Service,
  requests: number,
  seed: number,
): Promise<FuzzCounts> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const counts: FuzzCounts = { statuses: new Map(), accepted: new Map() };
  let subjects = await createSubjects(service);
  let left = REQUESTS_PER_WORKSPACE;

  const property = fc.asyncProperty(
    fc.array(fuzzRequest, { minLength: CONCURRENCY, maxLength: CONCURRENCY }),
    async (batch) => {
      if (left <= 0) {
        subjects = await createSubjects(service);
        left = REQUESTS_PER_WORKSPACE;
      }
      left -= batch.length;
      await Promise.all(
        batch.map(async (one) => {
          const subject = ISOLATED.has(one.route.key) ? subjects.isolated : subjects.main;
          const status = await check(service.url, agent, subject, one);
          count(counts.statuses, status);
          if (status < 300) count(counts.accepted, one.route.key);
        }),
      );
    },
  );
  try {
    // No shrinking: the service keeps state, so a smaller input would not reproduce the failure.
    const options = { numRuns: Math.ceil(requests / CONCURRENCY), seed, endOnFailure: true };
    assertPassed(await fc.check(property, options));
  } finally {
    agent.destroy();
  }
  expect((await ask(service.url, '/health/ready')).status).toBe(200);
  return counts;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The webhook routes. Some requests of each must succeed, to test the code after the signature. */
export const WEBHOOKS = documentedRoutes.filter(isProviderWebhook).map(({ key }) => key);

/** Requests to the isolated subject. After a logout, all requests of its session would be 401. */
const ISOLATED = new Set([...WEBHOOKS, 'DELETE /api/ui/sessions/current']);

/** Throws an error with only the failed request, not the whole batch. */
function assertPassed(details: fc.RunDetails<[FuzzRequest[]]>): void {
  if (!details.failed) return;
  const { seed, numRuns, errorInstance } = details;
  const cause = errorInstance instanceof Error ? errorInstance : undefined;
  throw new Error(`Seed ${seed}, batch ${numRuns}: ${cause?.message ?? 'failed'}`, { cause });
}

async function createSubjects(service: Service): Promise<Subjects> {
  return { main: await createSubject(service), isolated: await createSubject(service) };
}

async function createSubject(service: Service): Promise<Subject> {
  const ours = await service.addWorkspace();
  const theirs = await service.addWorkspace();
  const { workspaceId, apiKeyId: keyId, sessionToken: token } = ours;
  const make = async (path: string, json: object) => {
    const response = await ask(service.url, `/api/ui/workspaces/${workspaceId}${path}`, {
      token,
      json,
    });
    return response.json ?? {};
  };
  const message = await make('/messages', { to: '+15557654321', body: 'Hello' });
  const number = await make('/numbers', { number: '+15550002222' });
  const contact = await make('/contacts', { number: '+15550004444' });
  const reply = await make('/saved-replies', { name: 'Hours', body: 'We open at nine.' });
  const provider = await make('/providers', { type: 'sandbox', credentials: {} });
  const view = await make('/saved-views', { name: 'Failed', filters: { status: 'failed' } });
  await make('/opt-outs', { number: '+15550003333' });
  await make('/members', { email: theirs.email, role: 'member' });
  const vendors: VendorAccount[] = [];
  for (const vendor of VENDORS) {
    vendors.push(await addVendorAccount(service.sql, workspaceId, vendor));
  }
  return {
    ours,
    theirs,
    vendors,
    resources: {
      workspaceId,
      keyId,
      messageId: String(message['id']),
      numberId: String(number['id']),
      contactId: String(contact['id']),
      erasureId: String((await make('/people/%2B15550004445/erase', {}))['id']),
      replyId: String(reply['id']),
      providerId: String(provider['id']),
      viewId: String(view['id']),
      number: '+15550003333',
      userId: theirs.userId,
      index: '0',
    },
  };
}

async function check(
  url: string,
  agent: Agent,
  subject: Subject,
  fuzz: FuzzRequest,
): Promise<number> {
  const { route, query } = fuzz;
  const scheme = route.endpoint.credential;
  const isVendors = isProviderWebhook(route) && scheme !== 'provider_signature';
  const signer = isVendors
    ? subject.vendors.find(({ vendor }) => vendor === vendorOf(route.path))
    : undefined;
  const resources: Readonly<Record<string, string>> =
    signer === undefined ? subject.resources : { ...subject.resources, providerId: signer.id };
  const path = route.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => fuzz.variables[name] ?? resources[name] ?? '',
  );
  const address = path + query.replace(OWN_MESSAGE, subject.resources['messageId'] ?? '');
  const owner = fuzz.who === 'theirs' ? subject.theirs : subject.ours;
  const { body: given } = fuzz;
  const isForm = typeof given === 'object' && given !== null;
  if (isForm && given['AccountSid'] === OWN_ACCOUNT) given['AccountSid'] = owner.accountSid;
  if (isForm && given['To'] === OWN_NUMBER) given['To'] = owner.from;
  const body = isForm ? new URLSearchParams(given).toString() : given;
  const headers = {
    ...fuzz.headers,
    'x-forwarded-for': fuzz.address,
    // Node sends no length for a DELETE, so the body would be read as another request.
    ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }),
    ...(signer !== undefined && fuzz.who !== 'none'
      ? signAs(signer, body ?? '')
      : credentialOf(url + address, owner, fuzz)),
  };

  const started = performance.now();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(url + path, { agent, method: route.method, path: address, headers });
    sending.setTimeout(20_000, () => sending.destroy(new Error('no response within 20 s')));
    sending.once('response', resolve).once('error', reject);
    sending.end(body ?? undefined);
  }).catch((error: unknown) => {
    throw new Error(`${describe()}: no response after ${performance.now() - started} ms`, {
      cause: error,
    });
  });
  const status = response.statusCode ?? 0;
  const seen = {
    status,
    headers: new Headers(response.headers as Record<string, string>),
    text: await text(response),
  };
  const problem = status >= 500 ? 'failed' : findUndocumented(route.method, address, seen);
  if (problem !== null) throw new Error(`${describe()}: ${problem}\n${status} ${seen.text}`);
  return status;

  function describe(): string {
    const sent = typeof body === 'string' ? body.slice(0, 2_000) : 'no body';
    return `${route.method} ${address} as ${fuzz.who} ${JSON.stringify(fuzz.headers)} ${sent}`;
  }
}

function credentialOf(
  url: string,
  owner: WorkspaceFixture,
  fuzz: FuzzRequest,
): Record<string, string> {
  const scheme = fuzz.route.endpoint.credential;
  if (scheme === 'provider_signature') {
    const fields = typeof fuzz.body === 'object' && fuzz.body !== null ? fuzz.body : {};
    return fuzz.who === 'none' ? {} : { 'x-twilio-signature': sign(owner.authToken, url, fields) };
  }
  if (fuzz.who === 'none' || scheme === undefined) return {};
  if (fuzz.who === 'odd') return { authorization: 'Bearer ..' };
  const isKey = (scheme === 'api_key') !== (fuzz.who === 'other_scheme');
  return { authorization: `Bearer ${isKey ? owner.apiKey : owner.sessionToken}` };
}
