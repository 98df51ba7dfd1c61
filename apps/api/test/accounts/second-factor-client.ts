import { createTotpCode, toTotpStep } from '@switchboard/credentials';
import type { WorkspaceFixture } from '@switchboard/testing';
import { expect } from 'vitest';
import { ask } from '../start-service.ts';
import type { MailingService } from './environment.ts';

type Owner = Pick<WorkspaceFixture, 'email' | 'password' | 'sessionToken' | 'userId'>;

export interface Factor {
  secret: string;
  recoveryCodes: string[];
  /**
   * Returns a code that is accepted, whenever it is sent within half a minute. The service accepts a code once, so that each
   * call first forgets the last one.
   */
  nextCode(): Promise<string>;
}

/** The code of the present time step, or of one beside it. */
export const codeOf = (secret: string, drift = 0): string =>
  createTotpCode(secret, toTotpStep(Date.now()) + drift);

/** Returns six digits that are no code of the secret now. */
export function wrongCodeOf(secret: string): string {
  const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((drift) => codeOf(secret, drift)));
  for (let guess = 0; ; guess += 1) {
    const code = String(guess).padStart(6, '0');
    if (!right.has(code)) return code;
  }
}

/** Turns the second factor of a user on. */
export async function setUpFactor(service: MailingService, owner: Owner): Promise<Factor> {
  const { sessionToken: token, password } = owner;
  const begun = await ask(service.url, '/api/ui/totp', { token, json: { password } });
  expect(begun.status).toBe(201);
  const secret = String(begun.json?.['secret']);
  const confirmed = await ask(service.url, '/api/ui/totp/confirm', {
    token,
    json: { code: codeOf(secret) },
  });
  expect(confirmed.status).toBe(201);
  return {
    secret,
    recoveryCodes: confirmed.json?.['recovery_codes'] as string[],
    async nextCode() {
      await service.sql('UPDATE second_factors SET last_step = 0 WHERE user_id = $1', [
        owner.userId,
      ]);
      return codeOf(secret);
    },
  };
}
