import { createHmac } from 'node:crypto';
import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type ReceivedRequest, respond, startFaultServer } from './fault-server.ts';
import { ARRIVED, clientsOf, useService } from './start-service.ts';

const TO = '+447700900123';
const NUMBER = '+447700900999';
const SECRET = 'a signing secret';

const service = useService(() => ({ PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8' }));

/** Connects a workspace to a gateway that answers with text and reports with forms, both in ISO-8859-1. */
async function connectGateway(onRequest: (request: ReceivedRequest) => void) {
  const gateway = await startFaultServer((received) =>
    received.method === 'OPTIONS' ? respond(received, 200, '') : onRequest(received),
  );
  onTestFinished(() => gateway.close());
  const fixture = { provider: false, from: NUMBER } as const;
  const workspace = await createWorkspaceFixture(service.database.url, fixture);
  const clients = clientsOf(service, workspace);
  const added = await clients.asOwner('POST', '/providers', {
    type: 'http',
    credentials: {
      send: {
        method: 'POST',
        url: `${gateway.url}/send`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=ISO-8859-1' },
        body: 'to={{to_digits}}&text={{body}}',
        unless_gsm7: { coding: 2 },
      },
      accepted: { statuses: [200], id_after: 'ID:' },
      refused: { starts_with: ['ERROR'] },
      status_webhook: { id_path: 'id', status_path: 'status', map: { DELIVRD: 'delivered' } },
      inbound_webhook: {
        id_path: 'event',
        identity_paths: ['from', 'at', ['text', 'message']],
        from_path: ['from', 'sender'],
        to: NUMBER,
        body_path: ['text', 'message'],
      },
      signing: { header: 'X-Signature', secret: SECRET, algorithm: 'hmac-sha256' },
    },
  });
  expect(added).toMatchObject({ status: 201 });
  const id = String(added.body['id']);
  const verified = await clients.asOwner('POST', `/providers/${id}/verify`);
  expect(verified).toMatchObject({ body: { ok: true } });

  /** Posts a signed form. Characters of the body are bytes. */
  async function report(kind: 'status' | 'inbound', form: string) {
    const body = Buffer.from(form, 'latin1');
    const response = await fetch(`${service.api.url}/api/webhooks/http/${id}/${kind}`, {
      method: 'POST',
      headers: {
        connection: 'close',
        'content-type': 'application/x-www-form-urlencoded; charset=ISO-8859-1',
        'x-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  }
  return { ...clients, gateway, report };
}

const listInbound = async ({ asProgram }: Awaited<ReturnType<typeof connectGateway>>) =>
  (await asProgram('GET', '/api/messages?direction=inbound')).body['messages'];

test('a message that a gateway refuses with status 200 fails with the code and the words of the gateway', async () => {
  const workspace = await connectGateway((received) =>
    respond(received, 200, 'ERROR:14 Cr\xE9dit \xE9puis\xE9', {
      'content-type': 'text/plain; charset=ISO-8859-1',
    }),
  );
  const { id } = await workspace.send(TO, 'Größe [é]');
  await expect
    .poll(() => workspace.read(id), ARRIVED)
    .toMatchObject({
      status: 'failed',
      error_code: '14',
      error_detail: expect.stringMatching(/^ERROR:14 Cr/),
    });
  const sent = workspace.gateway.requests.find(({ method }) => method === 'POST');
  expect(sent?.body).toBe('to=447700900123&text=Gr%F6%DFe+%5B%E9%5D');
});

test('a message that a gateway accepts in text is delivered by a report with its identifier', async () => {
  const workspace = await connectGateway((received) => respond(received, 200, 'ID: sms-17'));
  const { id } = await workspace.send(TO, 'Ç');
  await expect
    .poll(() => workspace.read(id), ARRIVED)
    .toMatchObject({ status: 'queued', provider_sid: 'sms-17' });
  expect(await workspace.report('inbound', 'id=sms-17&status=DELIVRD')).toMatchObject({
    status: 200,
  });
  expect(await workspace.report('status', 'id=sms-17&status=DELIVRD')).toMatchObject({
    status: 200,
  });
  await expect.poll(() => workspace.read(id), ARRIVED).toMatchObject({ status: 'delivered' });
});

test('one SMS in ISO-8859-1 that a gateway reports twice is one message, events of other kinds are ignored, and a missing text is refused by name', async () => {
  const workspace = await connectGateway((received) => respond(received, 200, 'ID: sms-18'));
  const first = 'event=1&from=07700+900123&at=12:00&text=Gr%FC\xDFe';
  expect(await workspace.report('inbound', first)).toMatchObject({ status: 200 });
  // To the other URL, under another event id and with other names of the fields.
  const again = 'event=2&from=07700+900123&at=12:00&message=Gr\xFC%DFe';
  expect(await workspace.report('status', again)).toMatchObject({ status: 200 });
  for (const kind of ['status', 'inbound'] as const) {
    expect(await workspace.report(kind, 'event=3&battery=90')).toMatchObject({ status: 200 });
  }
  const missing = await workspace.report('inbound', 'event=4&from=07700+900123&at=12:01');
  expect(missing.status).toBe(400);
  expect(missing.text).toContain('`text` or `message`');
  expect(await listInbound(workspace)).toMatchObject([{ from: TO, to: NUMBER, body: 'Grüße' }]);
  expect(await listInbound(workspace)).toHaveLength(1);
});
