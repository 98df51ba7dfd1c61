import {
  createTotpCode,
  createTotpSecret,
  hashRecoveryCode,
  toTotpStep,
} from '@switchboard/credentials';
import { createSecretBox, ofTotpSecret } from '@switchboard/runtime';
import { TEST_SECRET_KEY, createWorkspaceFixture } from '@switchboard/testing';
import { pool, postgres } from './environment.ts';
import { record } from './record-outcomes.ts';

const RECOVERY_CODE = '7k2m-q9fx-4tbd-h0wz';

/** Adds a user whose second factor is on or being set up, with the body of a request that succeeds. */
export async function addFactor(path: string) {
  const { userId, sessionToken, password } = await createWorkspaceFixture(postgres.url);
  const secret = createTotpSecret();
  const isOn = !path.endsWith('/confirm');
  await pool.query(
    `INSERT INTO second_factors (user_id, sealed_secret, confirmed_at)
     VALUES ($1, $2, CASE WHEN $3 THEN now() END)`,
    [userId, createSecretBox(TEST_SECRET_KEY).seal(secret, ofTotpSecret(userId)), isOn],
  );
  await pool.query('INSERT INTO recovery_codes VALUES ($1, $2)', [
    userId,
    hashRecoveryCode(RECOVERY_CODE),
  ]);
  const json = isOn
    ? { password, code: RECOVERY_CODE }
    : { code: createTotpCode(secret, toTotpStep(Date.now())) };
  return { token: sessionToken, json };
}

/** Requests that the state of a second factor does not allow. */
export async function refuseFactors(): Promise<void> {
  const { token, json } = await addFactor('/totp');
  await record('POST /api/ui/totp', { token, json: { password: json.password } });
  await record('POST /api/ui/totp/confirm', { token, json: { code: '123456' } });
  const plain = await createWorkspaceFixture(postgres.url);
  const proof = { token: plain.sessionToken, json: { password: plain.password, code: '123456' } };
  await record('POST /api/ui/totp/recovery-codes', proof);
  await record('DELETE /api/ui/totp', proof);
}
