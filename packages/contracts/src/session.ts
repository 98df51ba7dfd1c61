import { z } from 'zod';
import { pageOf } from './page.ts';
import { knownPassword, newPassword } from './password.ts';
import { recoveryCode, totpCode } from './second-factor.ts';
import { email, nameUpTo, text, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const staySignedIn = () =>
  z
    .boolean('must be true or false')
    .optional()
    .describe('If false, the session ends after 24 hours; otherwise after 30 days');

export const signUpRequest = z
  .object({
    email: email(),
    password: newPassword(),
    name: nameUpTo(100),
    invite_token: textUpTo(200)
      .optional()
      .describe('The token of an invitation; the user also becomes a member'),
    stay_signed_in: staySignedIn(),
  })
  .meta({ id: 'SignUpRequest' });

export const logInRequest = z
  .object({
    email: text(),
    password: knownPassword(),
    totp_code: totpCode().optional(),
    recovery_code: recoveryCode().optional(),
    stay_signed_in: staySignedIn(),
  })
  .meta({ id: 'LogInRequest' });

export const changePasswordRequest = z
  .object({ current_password: knownPassword(), password: newPassword() })
  .meta({ id: 'ChangePasswordRequest' });

export const requestMailRequest = z.object({ email: email() }).meta({ id: 'RequestMailRequest' });

export const resetPasswordRequest = z
  .object({ password: newPassword() })
  .meta({ id: 'ResetPasswordRequest' });

export const changeEmailRequest = z
  .object({ email: email(), password: knownPassword().describe('The current password') })
  .meta({ id: 'ChangeEmailRequest' });

export const user = z
  .object({ id: z.uuid(), email: z.string(), name: z.string() })
  .meta({ id: 'User' });

export const sessionResponse = z
  .object({ user, token: z.string(), expires_at: timestamp })
  .meta({ id: 'SessionAnswer' });

export const session = z
  .object({
    id: z.uuid(),
    created_at: timestamp,
    last_seen_at: timestamp.describe('Updated at most once a minute'),
    expires_at: timestamp,
    user_agent: z.string().nullable().describe('The browser or program that signed in'),
    is_current: z.boolean().describe('True for the session of this request'),
  })
  .meta({ id: 'Session' });

export const sessionList = pageOf(session).meta({ id: 'SessionList' });

export type Session = z.infer<typeof session>;
export type SignUpRequest = z.infer<typeof signUpRequest>;
export type SessionResponse = z.infer<typeof sessionResponse>;
