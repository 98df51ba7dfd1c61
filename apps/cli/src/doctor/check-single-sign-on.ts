import { type LimitedFetch, type OutboundProxy, createLimitedFetch } from '@switchboard/providers';
import { isSameIssuer, toDiscoveryUrl } from '@switchboard/runtime';
import { type Finding, describeFailure } from './finding.ts';

const part = 'single sign-on';
/** The limits of an API. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_000_000;

export interface SingleSignOnSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  proxy: OutboundProxy | null;
}

/** Reads the identity provider's metadata and keys, and has it check the client's secret, as a sign-in does. */
export async function checkSingleSignOn(settings: SingleSignOnSettings | null): Promise<Finding[]> {
  if (settings === null) return [];
  const requests = createLimitedFetch({
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    proxy: settings.proxy,
  });
  try {
    const problem = await findProblem(settings, requests);
    return problem === null
      ? [{ result: 'good', part, detail: `${settings.issuer} can be used.` }]
      : [{ result: 'problem', part, detail: problem }];
  } finally {
    await requests.close();
  }
}

/** Returns what is wrong and what to correct; null if nothing is. */
async function findProblem(
  settings: SingleSignOnSettings,
  requests: LimitedFetch,
): Promise<string | null> {
  const { issuer } = settings;
  const url = toDiscoveryUrl(issuer).href;
  const metadata = await readJson(requests, url);
  if (typeof metadata === 'string') {
    return `${metadata}: check OIDC_ISSUER, DNS, the firewall and HTTPS_PROXY.`;
  }
  const { issuer: named, jwks_uri: keysUrl, token_endpoint: tokenUrl } = metadata;
  if (typeof named !== 'string' || typeof keysUrl !== 'string' || typeof tokenUrl !== 'string') {
    return `${url} does not name issuer, jwks_uri and token_endpoint: check OIDC_ISSUER.`;
  }
  if (!isSameIssuer(named, issuer)) {
    return `OIDC_ISSUER is ${issuer}, but the provider calls itself ${named}: set OIDC_ISSUER to that.`;
  }
  const found = await readJson(requests, keysUrl);
  if (typeof found === 'string') return `${found}: sign-ins need the keys of the provider.`;
  if (!hasPublicKey(found['keys'])) {
    return `${keysUrl} has no public key, which ID tokens are verified with: choose a signing key at the provider.`;
  }
  const methods = metadata['token_endpoint_auth_methods_supported'];
  const postsSecret = Array.isArray(methods) && methods.includes('client_secret_post');
  return findClientProblem(settings, { tokenUrl, postsSecret }, requests);
}

function hasPublicKey(keys: unknown): boolean {
  const list: unknown[] = Array.isArray(keys) ? keys : [];
  return list.some((key) => {
    const type: unknown = typeof key === 'object' && key !== null && Reflect.get(key, 'kty');
    return typeof type === 'string' && type !== 'oct';
  });
}

/** Exchanges a code that does not exist. A provider checks the client first, so the error shows whether it accepts the client. */
async function findClientProblem(
  { clientId, clientSecret, redirectUri }: SingleSignOnSettings,
  { tokenUrl, postsSecret }: { tokenUrl: string; postsSecret: boolean },
  { fetch }: LimitedFetch,
): Promise<string | null> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'check-of-the-client',
    code_verifier: 'x'.repeat(43),
    redirect_uri: redirectUri,
  });
  const headers: Record<string, string> = { accept: 'application/json' };
  if (postsSecret) {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = [clientId, clientSecret].map((text) => encodeForm(text)).join(':');
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  let status: number;
  let text: string;
  try {
    const response = await fetch(tokenUrl, { method: 'POST', headers, body: form });
    ({ status } = response);
    text = await response.text();
  } catch (error) {
    return `${tokenUrl} can't be reached from this machine (${describeFailure(error)}).`;
  }
  const [, code] = /"error"\s*:\s*"(\w+)"/.exec(text) ?? [];
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return `The provider refuses the client (${code}): correct OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`;
  }
  return status >= 500 ? `${tokenUrl} responds with ${status}.` : null;
}

/** Encodes as a form does (RFC 6749, 2.3.1). */
const encodeForm = (text: string): string => new URLSearchParams({ text }).toString().slice(5);

/** Returns the JSON object, or why there is none. */
async function readJson(
  { fetch }: LimitedFetch,
  url: string,
): Promise<Record<string, unknown> | string> {
  let text: string;
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    if (response.status !== 200) return `${url} responds with ${response.status}`;
    text = await response.text();
  } catch (error) {
    return `${url} can't be reached from this machine (${describeFailure(error)})`;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch {
    // Described below, as every other value.
  }
  return `${url} does not respond with a JSON object`;
}
