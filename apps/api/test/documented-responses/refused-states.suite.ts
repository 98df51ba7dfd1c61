import { once } from 'node:events';
import { QUOTAS } from '@switchboard/core';
import {
  type WorkspaceFixture,
  createWorkspaceFixture,
  updateMessages,
} from '@switchboard/testing';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { addApiKey } from '../add-api-key.ts';
import { PNG } from '../media-samples.ts';
import { openBatches } from '../open-batches.ts';
import { type AskOptions, ask } from '../start-service.ts';
import {
  postgres,
  pool,
  api,
  strict,
  ours,
  theirs,
  bare,
  senderless,
  full,
  RECIPIENT,
} from './environment.ts';
import { openExports } from './open-exports.ts';
import { record, findUnseen } from './record-outcomes.ts';
import { refuseInbound, refuseWithoutProvider } from './refuse-inbound.ts';
import { addLink } from './add-link.ts';
import { refuseFactors } from './factor-outcomes.ts';
import { refuseToClose } from './refuse-to-close.ts';
import { refuseSignOn } from './refuse-sign-on.ts';
import { invite, accept, addWebhookEndpoint, uploadFile } from './create-resources.ts';

/** The number of another contact, for each credential. */
const CONTACTS: Record<string, string> = {
  '/api': '+15550009998',
  '/api/ui/workspaces/{workspaceId}': '+15550009999',
};
const UNKNOWN_ID = '01920000-0000-7000-8000-000000000000';

const moveReceived = ({ workspaceId }: WorkspaceFixture): Promise<number> =>
  updateMessages(pool, {
    set: 'workspace_id = $1',
    where: `provider_sid = 'MMreceived'`,
    values: [workspaceId],
  });

export function describeRefusedStates(): void {
  test('routes refuse requests that the state of the workspace does not allow', async () => {
    const json = { to: RECIPIENT, body: 'Hello' };
    for (const prefix of ['/api', '/api/ui/workspaces/{workspaceId}']) {
      const as = async (who: WorkspaceFixture, path: string, options: AskOptions = {}) => {
        const [method, rest = ''] = path.split(' ');
        const key = `${method} ${prefix}${rest}`.replace('{workspaceId}', who.workspaceId);
        return record(key, {
          token: prefix === '/api' ? who.apiKey : who.sessionToken,
          ...options,
        });
      };
      await as(bare, 'POST /messages', { json });
      await as(senderless, 'POST /messages', { json });
      await as(ours, 'POST /messages', { json: { ...json, to: '+15550003333' } });
      await as(ours, 'POST /messages', { json: { ...json, from: theirs.from } });
      const headers = { 'idempotency-key': `key ${prefix}` };
      await as(ours, 'POST /messages', { json, headers });
      await as(ours, 'POST /messages', { json: { ...json, body: 'Other' }, headers });
      await as(ours, 'POST /messages/batch', { json: { messages: [json] }, headers });
      const path = `${prefix}/messages/batch`.replace('{workspaceId}', full.workspaceId);
      const token = prefix === '/api' ? full.apiKey : full.sessionToken;
      const open = await openBatches(api.url, path, token);
      await as(full, 'POST /messages/batch', { json: { messages: [json] } });
      for (const socket of open) socket.destroy();
      await as(ours, 'POST /messages/MMreceived/cancel');
      await as(ours, 'GET /messages/MMreceived/media/1');
      await as(ours, 'GET /messages/MMreceived/media/2');
      const file = { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } };
      await as(full, 'POST /media', file);
      const { mediaId } = await uploadFile();
      await as(ours, 'POST /messages', { json: { ...json, media_urls: [`media:${mediaId}`] } });
      await as(ours, `DELETE /media/${mediaId}`);
      await as(ours, 'POST /numbers', { json: { number: ours.from } });
      await as(full, 'POST /numbers', { json: { number: '+15550007777' } });
      await as(full, 'POST /contacts', { json: { number: '+15550007777' } });
      const more = { contacts: [{ number: '+15550007777' }], existing: 'keep' };
      await as(full, 'POST /contacts/import', { json: more });
      const { rows } = await pool.query<{ id: string }>(
        `SELECT id FROM contacts WHERE workspace_id = $1 AND fields = '{}' LIMIT 2`,
        [full.workspaceId],
      );
      const [first, second] = rows.map(({ id }) => id);
      const fields = { 'One more': 'Value' };
      await as(full, `PATCH /contacts/${second}`, { json: { fields } });
      await as(full, `POST /contacts/${first}/merge`, { json: { contact_id: second, fields } });
      const running = await openExports();
      await as(full, 'GET /contacts/export.csv');
      await as(full, 'GET /messages/export.csv');
      if (prefix !== '/api') await as(full, 'GET /audit/export.csv');
      for (const response of running) response.destroy();
      await as(ours, 'POST /contacts', { json: { number: '+15550008888' } });
      const other = await as(ours, 'POST /contacts', { json: { number: CONTACTS[prefix] } });
      expect(other).toBe('201');
      await as(ours, 'PATCH /contacts/{contactId}', { json: { number: CONTACTS[prefix] } });
      const unknown = '00000000-0000-7000-8000-000000000000';
      await as(ours, `PATCH /contacts/${unknown}`, { json: { name: 'Ada' } });
      await as(ours, `POST /contacts/${unknown}/merge`, { json: { contact_id: unknown } });
      await as(full, 'POST /webhook-endpoints', { json: { url: 'https://example.com/' } });
      const endpoint = await addWebhookEndpoint();
      const endpointPath = `/webhook-endpoints/${endpoint.endpointId}`;
      await as(ours, `PATCH ${endpointPath}`, { json: { url: 'https://10.0.0.1/' } });
      await as(ours, `PATCH ${endpointPath}`, { json: { enabled: false } });
      await as(ours, `POST ${endpointPath}/test`);
      await as(ours, `POST ${endpointPath}/replay`, { json: { since: '2026-11-20' } });
      await as(ours, `POST ${endpointPath}/deliveries/${endpoint.deliveryId}/retry`);
      const listed = await ask(api.url, '/api/numbers', { token: ours.apiKey });
      const all = listed.json?.['data'] as { id: string; is_default: boolean }[];
      const { id = '' } = all.find((number) => number.is_default) ?? {};
      await as(ours, `PATCH /numbers/${id}`, { json: { is_default: false } });
      await moveReceived(bare);
      await as(bare, 'GET /messages/MMreceived/media/0');
      await moveReceived(ours);
    }
    await refuseUploads();
    const ui = '/api/ui/workspaces/{workspaceId}';
    await refuseInbound();
    await refuseWithoutProvider();
    const asOurs = { token: ours.sessionToken };
    await refuseProviders();
    await record(`POST ${ui}/opt-outs`, { ...asOurs, json: { number: '+15550003333' } });
    await record(`POST ${ui}/people/${encodeURIComponent(ours.from)}/erase`, asOurs);
    const erased = `/api/ui/workspaces/${full.workspaceId}/people/%2B15550004446/erase`;
    await record(`POST ${erased}`, { token: full.sessionToken });
    const another = { name: 'Another', body: 'Text' };
    await record(`POST ${ui}/saved-replies`, { ...asOurs, json: another });
    await record(`POST ${ui}/saved-replies`, { ...asOurs, json: another });
    await record(`PATCH ${ui}/saved-replies/{replyId}`, { ...asOurs, json: another });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/saved-replies`, {
      token: full.sessionToken,
      json: another,
    });
    const anotherView = { name: 'Another', filters: { status: 'sent' } };
    await record(`POST ${ui}/saved-views`, { ...asOurs, json: anotherView });
    await record(`POST ${ui}/saved-views`, { ...asOurs, json: anotherView });
    await record(`PATCH ${ui}/saved-views/{viewId}`, { ...asOurs, json: anotherView });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/saved-views`, {
      token: full.sessionToken,
      json: anotherView,
    });
    await record(`POST ${ui}/members`, { ...asOurs, json: { email: theirs.email, role: 'owner' } });
    await record(`PATCH ${ui}/members/${ours.userId}`, { ...asOurs, json: { role: 'member' } });
    await record(`DELETE ${ui}/members/${ours.userId}`, asOurs);

    const someone = { password: 'long enough a password', name: 'Someone' };
    await record('POST /api/ui/users', { json: { ...someone, email: ours.email } });
    await record('POST /api/ui/users', {
      json: { ...someone, email: 'x@example.com', invite_token: 'made-up' },
    });

    const unchanged = { email: 'new@example.com', password: 'not the password' };
    await record('POST /api/ui/me/email', { token: bare.sessionToken, json: unchanged });
    // This API sends no mail, and accepts one request per minute with each credential.
    const { sessionToken } = await createWorkspaceFixture(postgres.url);
    await record('POST /api/ui/me/email', { base: strict, token: sessionToken, json: unchanged });
    await refuseToClose();
    await refuseFactors();
    const { password } = someone;
    await record('POST /api/ui/password-resets/unknown', { json: { password } });
    await record('POST /api/ui/email-verifications/unknown', { method: 'POST' });
    await refuseSignOn();
    const taken = await addLink('email', ours.email);
    await record(`POST /api/ui/email-verifications/${taken}`, { method: 'POST' });

    await record('POST /api/ui/workspaces', {
      token: full.sessionToken,
      json: { name: 'One more' },
    });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/api-keys`, {
      token: full.sessionToken,
      json: { name: 'One more' },
    });
    const { id: spent } = await addApiKey(pool, ours.workspaceId);
    const rotation = `POST ${ui}/api-keys/${spent}/rotate`;
    for (let n = 0; n <= QUOTAS.replacedSecretsPerKey; n += 1) await record(rotation, asOurs);
    await record(`DELETE ${ui}/api-keys/${spent}`, asOurs);
    await record(rotation, asOurs);
    // The last two invites of the full workspace.
    const { token: late } = await invite(full, bare.email);
    expect(await accept(late, bare)).toBe('403 quota_exceeded');
    const { token: later } = await invite(full, 'late@example.com');
    await record('POST /api/ui/users', {
      json: { ...someone, email: 'late@example.com', invite_token: later },
    });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/members`, {
      token: full.sessionToken,
      json: { email: 'one-more@example.com', role: 'member' },
    });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/opt-outs`, {
      token: full.sessionToken,
      json: { number: RECIPIENT },
    });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/conversations/${RECIPIENT}/notes`, {
      token: full.sessionToken,
      json: { body: 'One more' },
    });
    const { token: crossed } = await invite(theirs, bare.email);
    // As if the user became a member while the invite was created.
    await pool.query(
      `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`,
      [theirs.workspaceId, bare.userId],
    );
    await accept(crossed, bare);

    for (let failures = 0; failures < 11; failures += 1) {
      await record('POST /api/ui/sessions', {
        json: { email: 'y@example.com', password: 'wrong' },
      });
    }
    await exhaustSockets('/api/events', full.apiKey);
    await exhaustSockets(`/api/ui/workspaces/${full.workspaceId}/events`, full.sessionToken);
    for (const [prefix, token] of [
      ['/api', ours.apiKey],
      [ui, ours.sessionToken],
    ] as const) {
      await record(`GET ${prefix}/events`, { token });
      const headers = { origin: 'https://elsewhere.example' };
      await record(`GET ${prefix}/events`, { token, headers, upgrade: true });
    }
    // Other tests of this file trigger these codes.
    const others = [
      'rate_limited',
      'service_unavailable',
      'internal_error',
      'send_failed',
      'update_failed',
    ];
    const missing = findUnseen((status, code) => status >= 400 && !others.includes(code));
    expect(missing.filter((outcome) => !outcome.includes('/webhooks/'))).toEqual([]);
  });

  /** The strict API has no storage, and it accepts one request per minute with each credential. */
  async function refuseUploads(): Promise<void> {
    const other = await createWorkspaceFixture(postgres.url);
    const file = { raw: new Uint8Array(PNG), headers: { 'content-type': 'image/png' } };
    const { apiKey, sessionToken, workspaceId } = other;
    await record('POST /api/media', { ...file, base: strict, token: apiKey });
    const path = `/api/ui/workspaces/${workspaceId}/media`;
    await record(`POST ${path}`, { ...file, base: strict, token: sessionToken });
    // A link to a deleted file.
    const deleted = await uploadFile();
    const token = ours.apiKey;
    await record(`DELETE /api/media/${deleted.mediaId}`, { token });
    await record(`GET /api/media-links/${deleted.mediaId}/${deleted.fileName}`);
  }

  /** The workspace has accounts of its own besides the default one, to which its numbers belong. */
  async function refuseProviders(): Promise<void> {
    const token = ours.sessionToken;
    const ui = '/api/ui/workspaces/{workspaceId}';
    const credentials = { account_sid: ours.accountSid, auth_token: 'another-token' };
    const other = { account_sid: `AC${'9'.repeat(32)}`, auth_token: 'another-token' };
    const path = `/api/ui/workspaces/${ours.workspaceId}/providers`;
    const made = await ask(api.url, path, { token, json: { type: 'twilio', credentials: other } });
    const id = String(made.json?.['id']);
    const sandbox = await ask(api.url, path, { token, json: { type: 'sandbox', credentials: {} } });
    await record(`GET ${ui}/providers/${String(sandbox.json?.['id'])}/numbers`, { token });
    await record(`POST ${ui}/providers`, { token, json: { type: 'twilio', credentials } });
    await record(`PATCH ${ui}/providers/${id}`, { token, json: { credentials } });
    await record(`PATCH ${ui}/providers/${id}`, { token, json: {} });
    await record(`PUT ${ui}/provider`, { token, json: { type: 'twilio', ...other } });
    await record(`DELETE ${ui}/provider`, { token });
    const listed = await ask(api.url, path, { token });
    const all = listed.json?.['data'] as { id: string; is_default: boolean }[];
    const { id: defaultId = '' } = all.find((one) => one.is_default) ?? {};
    await record(`DELETE ${ui}/providers/${defaultId}`, { token });
    const rules = [{ prefix: '', providers: [{ provider_id: UNKNOWN_ID, weight: 1 }] }];
    await record(`PUT ${ui}/routing`, { token, json: { rules, failover: true } });
    await record(`POST /api/ui/workspaces/${full.workspaceId}/providers`, {
      token: full.sessionToken,
      json: { type: 'sandbox', credentials: {} },
    });
  }

  /** Opens the only socket that the credential may have, and then tries to open another. */
  async function exhaustSockets(path: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(api.url.replace('http', 'ws') + path, { headers });
    await once(socket, 'open');
    await record(`GET ${path}`, { token, upgrade: true });
    socket.close();
    await once(socket, 'close');
  }
}
