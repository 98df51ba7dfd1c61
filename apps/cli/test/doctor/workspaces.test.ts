import { createWorkspaceFixture } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { setUpDoctor } from './set-up-doctor.ts';

const doctor = setUpDoctor();

test('doctor names the workspaces whose credentials cannot be decrypted', async () => {
  const good = await createWorkspaceFixture(doctor.databaseUrl());
  const sealed = await createWorkspaceFixture(doctor.databaseUrl());
  await doctor.query(
    `UPDATE provider_configurations SET auth_token_encrypted = 'v1.AAAAAAAAAAAAAAAA.AA.AAAAAAAAAAAAAAAAAAAAAA'
     WHERE workspace_id = '${sealed.workspaceId}'`,
  );
  const said = await doctor.run();
  expect(said['providers']).toBe("good: 1 of 2 workspaces' credentials are good.");
  expect(said['provider']).toContain(`problem: Workspace ${sealed.workspaceId}: `);
  expect(said['provider']).toContain('can’t be decrypted');
  expect(JSON.stringify(said)).not.toContain(good.authToken);
});

test('doctor counts the numbers whose inbound messages go elsewhere or arrive without retries', async () => {
  const { workspaceId } = await createWorkspaceFixture(doctor.databaseUrl());
  expect((await doctor.run())['numbers']).toMatch(
    /^warning: Inbound messages of 1 of 1 numbers do not come here/,
  );
  const wireTo = (url: string, overrides = '#rc=5&rp=all') => {
    const inboundUrl = `${url}/api/webhooks/twilio/${workspaceId}/inbound${overrides}`;
    return doctor.query(`UPDATE phone_numbers SET inbound_url = '${inboundUrl}'`);
  };
  await wireTo('https://old.example');
  const elsewhere = await doctor.run();
  expect(elsewhere['numbers']).toMatch(/^problem: .* another address than PUBLIC_URL/);
  await wireTo(doctor.apiUrl(), '');
  expect((await doctor.run())['numbers']).toMatch(/^problem: .* does not ask .* for retries/);
  await wireTo(doctor.apiUrl());
  expect((await doctor.run())['numbers']).toBe(
    'good: Inbound messages of 1 of 1 numbers come here.',
  );
  // The command runs four times, each time as a separate process.
}, 90_000);
