import type { WorkspaceFixture } from '../create-workspace-fixture.ts';
import type { Http } from '../http.ts';
import type { Relay } from '../processes/start-relay.ts';
import type { Carrier, Credentials, ProviderName } from './carrier.ts';

/**
 * Adds an account at each other provider to a workspace through the API, each with its own number. All
 * accounts get equal shares, with failover. Returns the names of the accounts in the ledger, and the
 * number of the SMPP account.
 */
export async function addAccounts(
  { workspaceId, sessionToken: token, onUnknown }: WorkspaceFixture & { onUnknown: string },
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
  const { firstNumber, http } = options;
  const path = `${options.apiUrl}/api/ui/workspaces/${workspaceId}`;
  const post = <Body>(route: string, body?: object) =>
    http.call<Body>(path + route, { method: 'POST', token, ...(body && { body }) });

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
    const { id } = await post<{ id: string }>('/providers', account);
    // The dashboard's form does the same, so that webhooks are accepted from the start.
    await post(`/providers/${id}/verify`);
    await post('/numbers', { number, provider_id: id });
    const name = ['public_key', 'application_id', 'system_id'].find(
      (field) => field in credentials,
    );
    names.push(String(credentials[name ?? '']));
  }
  if (names.length === 0) return { names, smppNumber };
  const { data } = await http.call<{ data: { id: string }[] }>(`${path}/providers`, { token });
  const providers = data.map(({ id }) => ({ provider_id: id, weight: 1 }));
  const routing = { rules: [{ prefix: '', providers }], failover: true };
  await http.call(`${path}/routing`, { method: 'PUT', token, body: routing });
  return { names, smppNumber };
}
