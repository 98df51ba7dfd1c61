import { z } from 'zod';
import { email, nameUpTo, text } from './text.ts';

const PASSWORD_MIN_BYTES = 12;
const PASSWORD_MAX_BYTES = 256;

const passwordBytes = (value: string) => new TextEncoder().encode(value).length;

export const signUpRequest = z.object({
  email: email(),
  password: text().refine(
    (value) => {
      const bytes = passwordBytes(value);
      return bytes >= PASSWORD_MIN_BYTES && bytes <= PASSWORD_MAX_BYTES;
    },
    { error: `must have ${PASSWORD_MIN_BYTES} to ${PASSWORD_MAX_BYTES} bytes` },
  ),
  name: nameUpTo(100),
});

export const logInRequest = z.object({
  email: text().transform((value) => value.toLowerCase()),
  password: text().refine((value) => passwordBytes(value) <= PASSWORD_MAX_BYTES, {
    error: `must have at most ${PASSWORD_MAX_BYTES} bytes`,
  }),
});

export const user = z.object({ id: z.uuid(), email: z.string(), name: z.string() });

export const sessionAnswer = z.object({
  user,
  token: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
});

export type SessionAnswer = z.infer<typeof sessionAnswer>;
