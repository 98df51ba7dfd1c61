import { randomUUID } from 'node:crypto';
import type { OutboundFetch } from '@switchboard/providers';
import { type Finding, describeFailure } from './finding.ts';

const part = 'public URL';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Checks that PUBLIC_URL uses TLS and reaches an API, so that providers can call back. */
export async function checkPublicUrl(
  publicUrl: string,
  fetchOutbound: OutboundFetch,
): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl);
  const isLoopback = LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !isLoopback) {
    const detail = `${publicUrl} is not an https URL, so callbacks and API keys are not encrypted: put a proxy with TLS in front of the API and set PUBLIC_URL to its https URL.`;
    return [{ result: 'problem', part, detail }];
  }
  const failure = await findFailure(`${publicUrl}/health/live`, fetchOutbound);
  if (failure !== null) {
    return [{ result: 'problem', part, detail: `${publicUrl}/health/live ${failure}` }];
  }
  if (isLoopback) {
    const detail = `${publicUrl} is this machine's own address, which only the simulator can call: set PUBLIC_URL to a public address for a real provider.`;
    return [{ result: 'warning', part, detail }];
  }
  return [{ result: 'good', part, detail: `An API responds at ${publicUrl}.` }];
}

/**
 * Returns why the URL does not reach an API, or null if it does. Any web server may answer 200. An API
 * also returns the request's ID and the status `ok`.
 */
async function findFailure(url: string, fetchOutbound: OutboundFetch): Promise<string | null> {
  const id = randomUUID();
  try {
    const { status, headers, body } = await fetchOutbound(url, { 'x-request-id': id });
    if (status < 200 || status > 299) {
      return `responds with ${status}: check the proxy, and that an API runs behind it.`;
    }
    return headers.get('x-request-id') === id && isHealth(body)
      ? null
      : 'reaches a server that is not a Switchboard API: check DNS, the proxy and PUBLIC_URL.';
  } catch (error) {
    return `can't be reached from here (${describeFailure(error)}): check DNS, certificate and proxy, and that an API runs behind it.`;
  }
}

function isHealth(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && Reflect.get(body, 'status') === 'ok';
  } catch {
    return false;
  }
}
