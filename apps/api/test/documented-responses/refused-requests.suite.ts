import { expect, test } from 'vitest';
import { addApiKey } from '../add-api-key.ts';
import { documentedRoutes, isProviderWebhook } from '../documented.ts';
import { sendRaw } from '../start-service.ts';
import { api, bare, ours, pool } from './environment.ts';
import {
  resources,
  record,
  recordOutcome,
  tokenOf,
  isCounted,
  isEvents,
  schemeOf,
  goodBody,
  findUnseen,
} from './record-outcomes.ts';

export function describeRefusedRequests(): void {
  const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

  test('every route refuses malformed requests', async () => {
    for (const route of documentedRoutes) {
      const { key, method, endpoint } = route;
      const token = tokenOf(route);
      const [query] = Object.keys(endpoint.route.query?.shape ?? {});
      if (endpoint.route.body !== undefined) {
        const headers = { 'content-type': 'application/json' };
        await record(key, { ...token, raw: '{', headers });
        await record(key, { ...token, json: {} });
        await record(key, { ...token, json: [] });
        await record(key, { ...token, json: { name: 5 } });
      } else if (endpoint.route.bodyType !== undefined) {
        const headers = { 'content-type': 'text/plain' };
        await record(key, { ...token, raw: 'no picture', headers });
        await record(key, { ...token, raw: '', headers });
      } else if (query !== undefined && method === 'GET') {
        await record(`${key}?${query}=1&${query}=2`, { ...token, upgrade: isEvents(route) });
      } else {
        const path = route.path.replaceAll(
          /\{(\w+)\}/g,
          (_, name: string) => resources[name] ?? '',
        );
        const received = await sendRaw(api.url, [
          `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`,
        ]);
        const [head = '', body = ''] = received.split('\r\n\r\n');
        recordOutcome(method, path, Number(head.split(' ')[1]), body);
      }
    }
    const form = ['invalid_params', 'missing_params', 'invalid_name'];
    const missing = findUnseen((_status, code) => form.includes(code));
    // Provider webhooks check the signature before the form.
    expect(missing.filter((outcome) => !outcome.includes('/webhooks/'))).toEqual([]);
  });

  test('every route refuses requests without authorization', async () => {
    const limited = [
      await addApiKey(pool, ours.workspaceId, { scopes: ['verify'] }),
      await addApiKey(pool, ours.workspaceId, { allowedIps: ['203.0.113.7/32'] }),
    ];
    for (const route of documentedRoutes) {
      const { key, path } = route;
      const upgrade = isEvents(route);
      if (schemeOf(route) === 'provider_signature') {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        await record(key, { raw: 'MessageSid=SM1', headers });
      } else if (isProviderWebhook(route)) {
        await record(key, { raw: '{}', headers: { 'content-type': 'application/json' } });
      }
      // The signature is missing.
      if (path.includes('{fileName}')) await record(key.replace('{fileName}', 'media.png'));
      if (!isCounted(route)) continue;
      if (schemeOf(route) === 'api_key') {
        for (const { key: token } of limited) await record(key, { token, upgrade });
      }
      await record(key, { upgrade, ...(goodBody(route) && { json: goodBody(route) }) });
      if (!path.includes('{')) continue;
      const token = tokenOf(route);
      const last = /\{\w+\}(?!.*\{)/.exec(path)?.[0] ?? '';
      await record(key.replace(last, UNKNOWN_ID), { ...token, upgrade });
      if (!path.includes('{workspaceId}')) continue;
      await record(key.replace('{workspaceId}', UNKNOWN_ID), { ...token, upgrade });
      await record(key.replace('{workspaceId}', bare.workspaceId), { ...token, upgrade });
    }
    expect(findUnseen((_status, code) => code === 'forbidden')).toEqual([
      'POST /api/ui/users 403 forbidden',
      // Passwords are not switched off here.
      'POST /api/ui/sessions 403 forbidden',
      'POST /api/ui/me/password 403 forbidden',
      'POST /api/ui/password-resets 403 forbidden',
      'POST /api/ui/password-resets/{resetToken} 403 forbidden',
      // This session has just begun.
      'DELETE /api/ui/me 403 forbidden',
      'POST /api/ui/me/email 403 forbidden',
      'POST /api/ui/me/identity/disconnect 403 forbidden',
    ]);
  });
}
