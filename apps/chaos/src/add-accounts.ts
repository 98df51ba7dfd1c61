import type { Relay, WorkspaceFixture } from '@switchboard/testing';
import type { Carrier, Credentials, ProviderName } from './carrier.ts';
import type { Http } from './http.ts';

const TIMEOUT_MS = 20_000;

/**
 * Adds an account at each other provider to a workspace through the API, each with its own number. All
 * accounts get equal shares, with failover. Returns the names of the accounts in the ledger, and the
 * number of the SMPP account.
 */
export async function addAccounts(
  { workspaceId, sessionToken, onUnknown }: WorkspaceFixture & { onUnknown: string },
  options: {
    providers: readonly ProviderName[];
    carrier: Pick<Carrier, 'createAccount'>;
    /** The relay through which the service connects to the SMSC. Null without an SMPP account. */
    smppLink: Relay | null;
    http: Http;
    apiUrl: string;
    /** The last digits of the first number, which differ between workspaces. */
    firstNumber: number;
  },
): Promise<{ names: string[]; smppNumber: string | null }> {
  const { firstNumber } = options;
  const path = `${options.apiUrl}/api/ui/workspaces/${workspaceId}`;

  async function call<Answer>(method: 'GET' | 'POST' | 'PUT', route: string, body?: object) {
    const answer = await options.http.send(path + route, {
      method,
      headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.text}`);
    return JSON.parse(answer.text) as Answer;
  }

  /** Makes the service connect through the relay. */
  function throughLink(credentials: Credentials): Credentials {
    if (options.smppLink === null) throw new Error('this run has no link to the SMSC');
    options.smppLink.route([Number(credentials['port'])]);
    const { hostname, port } = new URL(options.smppLink.url);
    return { ...credentials, host: hostname, port: Number(port) };
  }

  const names: string[] = [];
  let smppNumber: string | null = null;
  for (const [index, type] of options.providers.entries()) {
    if (type === 'twilio') continue;
    const number = `+1415555${String(firstNumber + index).padStart(4, '0')}`;
    const created = await options.carrier.createAccount(type, number);
    if (type === 'smpp') smppNumber = number;
    const credentials = type === 'smpp' ? throughLink(created) : created;
    // With `resend`, the owner of an SMPP account accepts duplicates, which the oracle would report
    // as violations.
    const account = { type, credentials, on_unknown: type === 'smpp' ? 'fail' : onUnknown };
    const { id } = await call<{ id: string }>('POST', '/providers', account);
    // The dashboard's form does the same, so that webhooks are accepted from the start.
    await call('POST', `/providers/${id}/verify`);
    await call('POST', '/numbers', { number, provider_id: id });
    const name = ['public_key', 'application_id', 'system_id'].find(
      (field) => field in credentials,
    );
    names.push(String(credentials[name ?? '']));
  }
  if (names.length === 0) return { names, smppNumber };
  const { data } = await call<{ data: { id: string }[] }>('GET', '/providers');
  const providers = data.map(({ id }) => ({ provider_id: id, weight: 1 }));
  await call('PUT', '/routing', { rules: [{ prefix: '', providers }], failover: true });
  return { names, smppNumber };
}
