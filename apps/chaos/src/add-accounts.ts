import type { WorkspaceFixture } from '@switchboard/testing';
import type { Carrier, ProviderName } from './carrier.ts';
import type { Http } from './http.ts';

const TIMEOUT_MS = 20_000;

/**
 * Adds an account of each further provider to a workspace, through the API, with a number of its own.
 * All accounts get equal shares, with failover. Returns the names of the accounts in the ledger.
 */
export async function addAccounts(
  { workspaceId, sessionToken, onUnknown }: WorkspaceFixture & { onUnknown: string },
  options: {
    providers: readonly ProviderName[];
    carrier: Pick<Carrier, 'createAccount'>;
    http: Http;
    apiUrl: string;
  },
): Promise<string[]> {
  const path = `${options.apiUrl}/api/ui/workspaces/${workspaceId}`;

  async function ask<Answer>(method: 'GET' | 'POST' | 'PUT', route: string, body?: object) {
    const answer = await options.http.send(path + route, {
      method,
      headers: { authorization: `Bearer ${sessionToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
    });
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.text}`);
    return JSON.parse(answer.text) as Answer;
  }

  const names: string[] = [];
  for (const [index, type] of options.providers.entries()) {
    if (type === 'twilio') continue;
    const credentials = await options.carrier.createAccount(type);
    const account = { type, credentials, on_unknown: onUnknown };
    const { id } = await ask<{ id: string }>('POST', '/providers', account);
    // As an owner does after the form, so that webhooks are accepted from the start.
    await ask('POST', `/providers/${id}/verify`);
    await ask('POST', '/numbers', { number: `+1415555020${index}`, provider_id: id });
    names.push(credentials['public_key'] ?? credentials['application_id'] ?? '');
  }
  if (names.length === 0) return names;
  const { data } = await ask<{ data: { id: string }[] }>('GET', '/providers');
  const providers = data.map(({ id }) => ({ provider_id: id, weight: 1 }));
  await ask('PUT', '/routing', { rules: [{ prefix: '', providers }], failover: true });
  return names;
}
