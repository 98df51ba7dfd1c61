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
    if (problem === null) {
      return [{ result: 'good', part, detail: `${settings.issuer} can be used.` }];
    }
    if (typeof problem === 'string') return [{ result: 'problem', part, detail: problem }];
    return [{ result: 'warning', part, detail: problem.warning }];
  } finally {
    await requests.close();
  }
}

/** What is wrong and what to correct, or what could not be found out; null if nothing is wrong. */
type Problem = string | { warning: string } | null;

async function findProblem(
  settings: SingleSignOnSettings,
  requests: LimitedFetch,
): Promise<Problem> {
  const { issuer } = settings;
  const url = toDiscoveryUrl(issuer).href;
  const metadata = await readJson(requests, url);
  if (typeof metadata === 'string') {
    return `${metadata}: check OIDC_ISSUER, DNS, the firewall and HTTPS_PROXY.`;
  }
  const { issuer: named, jwks_uri: keysUrl, token_endpoint: tokenUrl } = metadata;
  const { authorization_endpoint: authorizationUrl } = metadata;
  if (
    typeof named !== 'string' ||
    typeof keysUrl !== 'string' ||
    typeof tokenUrl !== 'string' ||
    typeof authorizationUrl !== 'string'
  ) {
    return `${url} does not name issuer, authorization_endpoint, token_endpoint and jwks_uri: check OIDC_ISSUER.`;
  }
  if (named.includes('{')) {
    return `OIDC_ISSUER is ${issuer}, which is for many tenants: replace common, organizations or consumers with the id of your directory (tenant).`;
  }
  if (!isSameIssuer(named, issuer)) {
    return `OIDC_ISSUER is ${issuer}, but the provider calls itself ${named}: set OIDC_ISSUER to that.`;
  }
  // The secret must not be sent in clear.
  const scheme = issuer.startsWith('http:') ? /^https?:/ : /^https:/;
  const unsafe = [authorizationUrl, tokenUrl, keysUrl].find((each) => !scheme.test(each));
  if (unsafe !== undefined) {
    return `${url} names ${unsafe}, which is not an https address: correct it at the provider.`;
  }
  const found = await readJson(requests, keysUrl);
  if (typeof found === 'string') return `${found}: sign-ins need the keys of the provider.`;
  if (!hasPublicKey(found['keys'])) {
    return `${keysUrl} has no public signing key, which ID tokens are verified with: choose a signing key at the provider.`;
  }
  const methods = metadata['token_endpoint_auth_methods_supported'];
  const postsSecret = Array.isArray(methods) && methods.includes('client_secret_post');
  return findClientProblem(settings, { tokenUrl, postsSecret }, requests);
}

function hasPublicKey(keys: unknown): boolean {
  const list: unknown[] = Array.isArray(keys) ? keys : [];
  return list.some((key) => {
    if (typeof key !== 'object' || key === null) return false;
    const { kty, use } = key as { kty?: unknown; use?: unknown };
    return typeof kty === 'string' && kty !== 'oct' && use !== 'enc';
  });
}

/** Exchanges a code that does not exist. A provider checks the client first, so the error shows whether it accepts the client. */
async function findClientProblem(
  { clientId, clientSecret, redirectUri }: SingleSignOnSettings,
  { tokenUrl, postsSecret }: { tokenUrl: string; postsSecret: boolean },
  { fetch }: LimitedFetch,
): Promise<Problem> {
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
  if (status >= 500) return `${tokenUrl} responds with ${status}.`;
  if (code === 'invalid_grant') return null;
  const given = `${status}${code === undefined ? ' without an error code' : ` and ${code}`}`;
  return {
    warning: `${tokenUrl} responds with ${given} to a code that does not exist, and not with invalid_grant: check the client and its redirect URI at the provider, and sign in.`,
  };
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
