import { createWorkspaceFixture } from '@switchboard/testing';
import { connectIdentity } from './add-link.ts';
import { bare, only, postgres, strict } from './environment.ts';
import { record } from './record-outcomes.ts';

/** Makes the requests that are refused where passwords are switched off, and those about the identity provider. */
export async function refuseSignOn(): Promise<void> {
  const wrong = 'not the password';
  const anyone = await createWorkspaceFixture(postgres.url);
  const asAnyone = { base: only, token: anyone.sessionToken };
  await record('POST /api/ui/sessions', {
    base: only,
    json: { email: anyone.email, password: anyone.password },
  });
  await record('POST /api/ui/password-resets', { base: only, json: { email: anyone.email } });
  await record('POST /api/ui/password-resets/unknown', { base: only, json: { password: wrong } });
  await record('POST /api/ui/me/password', {
    ...asAnyone,
    json: { current_password: anyone.password, password: wrong },
  });
  await record('POST /api/ui/me/email', {
    ...asAnyone,
    json: { email: 'new@example.com', password: wrong },
  });
  await record('POST /api/ui/me/identity/disconnect', { ...asAnyone, json: { password: wrong } });
  const asBare = { token: bare.sessionToken };
  await record('POST /api/ui/me/identity/disconnect', { ...asBare, json: { password: wrong } });
  await record('POST /api/ui/me/identity/disconnect', {
    ...asBare,
    json: { password: bare.password },
  });
  await record('POST /api/ui/me/identity', { ...asBare, json: { password: wrong } });
  const other = await createWorkspaceFixture(postgres.url);
  const notSetUp = { base: strict, token: other.sessionToken };
  await record('POST /api/ui/me/identity', { ...notSetUp, json: { password: wrong } });
  await connectIdentity(bare.userId);
  await record('POST /api/ui/me/identity', { ...asBare, json: { password: wrong } });
  await record('POST /api/ui/sign-in-links/unknown', { method: 'POST' });
  await record('POST /api/ui/oidc/sessions', { method: 'POST' });
}
