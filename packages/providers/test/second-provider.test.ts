import {
  createTestDatabase,
  createWorkspaceFixture,
  startApi,
  startWorker,
} from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { registerVendor } from './pigeon/register-vendor.ts';
import { OPTED_OUT, startPigeonCarrier } from './pigeon/start-carrier.ts';
import { clientsOf } from './start-service.ts';

const CREDENTIALS = { loft: 'loft-7', token: 'a token of many characters' };
/** Covers the start of two processes and three deliveries. */
const TEST_TIMEOUT_MS = 120_000;
/** Reads less often than the rate limit of a key allows. */
const DELIVERED = { timeout: 60_000, interval: 1_000 };

/** Starts an API and a worker with the invented vendor, and creates a workspace without an account. */
async function startService() {
  const carrier = await startPigeonCarrier(CREDENTIALS);
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const env = {
    DATABASE_URL: database.url,
    NODE_OPTIONS: await registerVendor(),
    PIGEON_API_URL: carrier.url,
  };
  // The vendor is added to a compiled file.
  const compiled = { isUnbundled: true };
  const api = await startApi(env, compiled);
  onTestFinished(() => api.stop());
  const worker = await startWorker({ ...env, PUBLIC_URL: api.url }, compiled);
  onTestFinished(() => worker.stop());
  const workspace = await createWorkspaceFixture(database.url, { provider: false });
  return { carrier, from: workspace.from, ...clientsOf({ api }, workspace) };
}

test(
  'a vendor of one folder and one line in the list gets its account through the API, sends messages, and receives callbacks and messages',
  async () => {
    const { carrier, asOwner, asProgram, send, read, from } = await startService();
    const add = (credentials: object) =>
      asOwner('POST', '/providers', { type: 'pigeon', credentials });

    expect(await add({ loft: CREDENTIALS.loft })).toMatchObject({
      status: 400,
      body: { detail: 'Missing required parameter: `credentials.token`' },
    });
    const { status, body: account } = await add(CREDENTIALS);
    expect([status, account]).toMatchObject([
      201,
      { type: 'pigeon', credentials: { loft: CREDENTIALS.loft, token_last4: 'ters' } },
    ]);
    const { inbound: inboundUrl } = account['webhook_urls'] as { inbound: string };
    const verified = await asOwner('POST', `/providers/${String(account['id'])}/verify`);
    expect(verified.body).toEqual({ ok: true, detail: 'The loft is known.' });

    const { id } = await send('+14155550100', 'Coo');
    await expect
      .poll(() => read(id), DELIVERED)
      .toMatchObject({ status: 'delivered', provider_sid: 'note0' });
    expect(carrier.notes).toMatchObject([{ to: '+14155550100', from, text: 'Coo', reference: id }]);

    const inbound = { note: 'n1', to: from, from: '+14155550101', text: 'Coo yourself' };
    const forged = await carrier.post(inboundUrl, inbound, 'another token');
    expect(forged.status).toBe(403);
    const received = await carrier.post(inboundUrl, inbound);
    expect([received.status, await received.text()]).toEqual([200, '{"coo":true}']);
    const { body: list } = await asProgram('GET', '/api/messages?direction=inbound');
    expect(list).toMatchObject({ messages: [{ body: 'Coo yourself', from: '+14155550101' }] });

    // The vendor's error code for an opt-out suppresses the number here too.
    const refused = await send(OPTED_OUT);
    await expect
      .poll(() => read(refused['id']), DELIVERED)
      .toMatchObject({ status: 'failed', error_code: 'no_more_pigeons' });
    expect(await send(OPTED_OUT)).toMatchObject({ error: 'recipient_opted_out' });
  },
  TEST_TIMEOUT_MS,
);
