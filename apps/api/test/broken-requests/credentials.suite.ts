import { DETAILS, type Endpoint } from '@switchboard/contracts';
import { describe, expect, test } from 'vitest';
import { type ApiResponse, ask, expectRefusal } from '../start-service.ts';
import { askApp } from '../tenancy/ask-app.ts';
import {
  service,
  workspace,
  acceptRows,
  WITH_CREDENTIAL,
  pathOf,
  tokenFor,
} from './environment.ts';

export function describeCredentials(): void {
  describe('credentials', () => {
    test.each(WITH_CREDENTIAL)(
      '$key without a valid credential of its own scheme is refused with 401',
      async (endpoint) => {
        const isKey = endpoint.credential === 'api_key';
        const detail = isKey ? DETAILS.invalidApiKey : DETAILS.invalidSession;
        const own = tokenFor(endpoint).token ?? '';
        const other = isKey ? workspace.sessionToken : workspace.apiKey;
        const swapped = own.slice(0, -1) + (own.endsWith('A') ? 'B' : 'A');
        const wrong = [
          undefined,
          '',
          'Bearer',
          'Bearer ',
          own,
          `Basic ${own}`,
          `Bearer ${other}`,
          `Bearer ${swapped}`,
          `Bearer ${own.slice(0, -1)}`,
          `Bearer ${own}x`,
          `Bearer ${own} x`,
          `Bearer "${own}"`,
          `Bearer ${own.toUpperCase()}`,
          `Bearer ${'x'.repeat(5000)}`,
          'Bearer \u00ff',
          "Bearer ' OR 1=1 --",
        ];
        for (const authorization of wrong) {
          const headers: Record<string, string> =
            authorization === undefined ? {} : { authorization };
          const response = await callRaw(endpoint, headers);
          expectRefusal(response, 401, 'unauthorized', new RegExp(`^${detail}$`));
        }
      },
    );

    test('the scheme of the Authorization header is case-insensitive', async () => {
      for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
        const response = await ask(service.url, '/api/workspace', {
          headers: { authorization: `${scheme} ${workspace.apiKey}` },
        });
        expect(response.status).toBe(200);
      }
    });

    test('a revoked key, an ended session and an expired session are refused with 401 immediately', async () => {
      const { apiKey, apiKeyId, sessionToken, userId } = await service.addWorkspace();
      const askBoth = async () => [
        (await ask(service.url, '/api/workspace', { token: apiKey })).status,
        (await ask(service.url, '/api/ui/me', { token: sessionToken })).status,
      ];
      expect(await askBoth()).toEqual([200, 200]);
      await service.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKeyId]);
      await service.sql('UPDATE sessions SET expires_at = now() WHERE user_id = $1', [userId]);
      expect(await askBoth()).toEqual([401, 401]);
      await service.sql(
        `UPDATE sessions SET expires_at = now() + interval '1 day', last_seen_at = now() - interval '8 days'
       WHERE user_id = $1`,
        [userId],
      );
      expect(await askBoth()).toEqual([401, 401]);
      await acceptRows();
    });
  });

  /** Calls an endpoint with only these headers. If the route opens a WebSocket, requests an upgrade. */
  async function callRaw(
    endpoint: Endpoint,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    const { route } = endpoint;
    if (route.response.status !== 101) {
      return ask(service.url, pathOf(endpoint), { method: route.method, headers });
    }
    const path = pathOf(endpoint);
    const { status, body } = await askApp(service.url, {
      method: 'GET',
      path,
      headers,
      upgrade: true,
    });
    const json = JSON.parse(body) as Record<string, unknown>;
    return { status, text: body, json, headers: new Headers(JSON_RESPONSE) };
  }

  const JSON_RESPONSE = { 'content-type': 'application/json', 'x-request-id': 'of the upgrade' };
}
