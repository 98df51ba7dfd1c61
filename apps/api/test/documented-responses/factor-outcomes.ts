import {
  createTotpCode,
  createTotpSecret,
  hashRecoveryCode,
  toTotpStep,
} from '@switchboard/credentials';
import { createSecretBox, ofTotpSecret } from '@switchboard/runtime';
import { TEST_SECRET_KEY, createWorkspaceFixture } from '@switchboard/testing';
import { pool, postgres } from './environment.ts';

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
