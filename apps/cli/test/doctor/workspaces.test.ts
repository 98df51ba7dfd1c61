import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

test('doctor names the workspaces whose credentials cannot be decrypted', async () => {
  const good = await createWorkspaceFixture(doctor.databaseUrl());
  const sealed = await createWorkspaceFixture(doctor.databaseUrl());
  await doctor.query(
    `UPDATE provider_accounts SET sealed_secret = 'v1.AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA'
     WHERE workspace_id = '${sealed.workspaceId}'`,
  );
  const report = await doctor.run();
  expect(report['providers']).toBe("good: 1 of 2 workspaces' credentials are valid.");
  expect(report['provider']).toContain(`problem: Workspace ${sealed.workspaceId}: `);
  expect(report['provider']).toContain('can’t be decrypted');
  expect(JSON.stringify(report)).not.toContain(good.authToken);
});

test('doctor counts the numbers whose inbound messages go to another URL or arrive without retries', async () => {
  const { workspaceId } = await createWorkspaceFixture(doctor.databaseUrl());
  expect((await doctor.run())['numbers']).toMatch(
    /^warning: Inbound messages to 1 of 1 numbers are not sent to this service/,
  );
  const setInboundUrl = (url: string, overrides = '#rc=5&rp=all') => {
    const inboundUrl = `${url}/api/webhooks/twilio/${workspaceId}/inbound${overrides}`;
    return doctor.query(`UPDATE phone_numbers SET inbound_url = '${inboundUrl}'`);
  };
  await doctor.query(`UPDATE phone_numbers SET inbound_url = ''`);
  expect((await doctor.run())['numbers']).toMatch(
    /^warning: Inbound messages to 1 of 1 numbers are not sent to this service.* another workspace/,
  );
  await setInboundUrl('https://old.example');
  const elsewhere = /^problem: Inbound messages to 1 of 1 numbers go to a URL other than this/;
  expect((await doctor.run())['numbers']).toMatch(elsewhere);
  await setInboundUrl(doctor.apiUrl(), '');
  expect((await doctor.run())['numbers']).toMatch(elsewhere);
  await setInboundUrl(doctor.apiUrl());
  expect((await doctor.run())['numbers']).toBe(
    'good: Inbound messages to 1 of 1 numbers are sent to this service.',
  );
  // Each run performs every check, which takes a long time on a busy machine.
});
