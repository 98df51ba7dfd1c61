import {
  type ConnectProxy,
  VENDOR_CERTIFICATE_FILE,
  createWorkspaceFixture,
  startConnectProxy,
} from '@switchboard/testing';
import { afterAll, expect, test } from 'vitest';
import { respond, startFaultServer } from './fault-server.ts';
import { ARRIVED, clientsOf, control, useService } from './start-service.ts';

const CREDENTIALS = 'sms:a long passphrase';

/** The vendors and a receiver of webhooks, which only the proxy reaches. */
const outside = await startFaultServer((request) => {
  const { method, path, headers, body, socket } = request;
  if (path.startsWith('/events')) return respond(request, 200, 'ok');
  void forward(method, path, headers, body).then(({ status, text }) => {
    socket.end(
      `HTTP/1.1 ${status} Status\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
});
const proxy: ConnectProxy = await startConnectProxy({
  origin: outside.url,
  credentials: CREDENTIALS,
});
afterAll(async () => {
  await proxy.close();
  await outside.close();
});

const service = useService(() => ({
  TELNYX_API_URL: 'https://telnyx.vendor.example',
  https_proxy: `http://${CREDENTIALS.replaceAll(' ', '%20')}@127.0.0.1:${proxy.port}`,
  NODE_EXTRA_CA_CERTS: VENDOR_CERTIFICATE_FILE,
}));

async function forward(
  method: string,
  path: string,
  headers: ReadonlyMap<string, string>,
  body: string,
) {
  const response = await fetch(service.simulator.providerUrls.telnyx + path, {
    method,
    headers: {
      authorization: headers.get('authorization') ?? '',
      'content-type': headers.get('content-type') ?? 'application/json',
    },
    ...(method !== 'GET' && { body }),
  });
  return { status: response.status, text: await response.text() };
}

test('behind a proxy with credentials, an account is verified, its messages are delivered and events reach a webhook', async () => {
  const { credentials } = (await control(service, 'accounts', { type: 'telnyx' })).body;
  const workspace = await createWorkspaceFixture(service.database.url, {
    provider: false,
    from: '+15557770009',
  });
  const { asOwner, send, read } = clientsOf(service, workspace);
  // The certificate of the receiver is for this address.
  const hook = await asOwner('POST', '/webhook-endpoints', { url: 'https://93.184.216.34/events' });
  expect(hook).toMatchObject({ status: 201 });
  const added = await asOwner('POST', '/providers', { type: 'telnyx', credentials });
  expect(added).toMatchObject({ status: 201 });
  expect(await asOwner('POST', `/providers/${String(added.body['id'])}/verify`)).toMatchObject({
    body: { ok: true },
  });
  const sent = await send('+14155550100');
  await expect.poll(() => read(sent['id']), ARRIVED).toMatchObject({ status: 'delivered' });
  await expect
    .poll(() => outside.requests.filter(({ path }) => path === '/events').length, ARRIVED)
    .toBeGreaterThan(0);
  expect(new Set(proxy.targets)).toEqual(
    new Set(['telnyx.vendor.example:443', '93.184.216.34:443']),
  );
});
