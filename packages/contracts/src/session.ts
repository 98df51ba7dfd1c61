import { z } from 'zod';
import { email, nameUpTo, text, textUpTo } from './text.ts';

const PASSWORD_MIN_BYTES = 12;
const PASSWORD_MAX_BYTES = 256;

const passwordBytes = (value: string) => new TextEncoder().encode(value).length;

const newPassword = () =>
  text().refine(
    (value) => {
      const bytes = passwordBytes(value);
      return bytes >= PASSWORD_MIN_BYTES && bytes <= PASSWORD_MAX_BYTES;
    },
    { error: `must have ${PASSWORD_MIN_BYTES} to ${PASSWORD_MAX_BYTES} bytes` },
  );

const knownPassword = () =>
  text().refine((value) => passwordBytes(value) <= PASSWORD_MAX_BYTES, {
    error: `must have at most ${PASSWORD_MAX_BYTES} bytes`,
  });

export const signUpRequest = z.object({
  email: email(),
  password: newPassword(),
  name: nameUpTo(100),
  /** Of an invite for this email address; makes the membership too. */
  invite_token: textUpTo(200).optional(),
});

export const logInRequest = z.object({
  email: text().transform((value) => value.toLowerCase()),
  password: knownPassword(),
});

export const changePasswordRequest = z.object({
  current_password: knownPassword(),
  password: newPassword(),
});

export const user = z.object({ id: z.uuid(), email: z.string(), name: z.string() });

export const sessionAnswer = z.object({
  user,
  token: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
});

export type SessionAnswer = z.infer<typeof sessionAnswer>;
