import { z } from 'zod';
import { parseBody } from './parse-request.ts';
import { knownPassword } from './password.ts';
import { text, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

/** Longer than any code with all its spaces and dashes. */
const CODE_MAX_CHARACTERS = 64;

/** Returns a typed code of an authenticator app without spaces and dashes, and with the digits of ASCII. */
function toPlainDigits(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

const SIX_DIGITS = /^\d{6}$/;

export const totpCode = () =>
  text()
    .transform(toPlainDigits)
    .refine((code) => SIX_DIGITS.test(code), { error: 'must have 6 digits, such as 123456' })
    .describe('The code of the authenticator app. Spaces do not matter')
    .meta({ examples: ['123456'] });

export const recoveryCode = () =>
  textUpTo(CODE_MAX_CHARACTERS)
    .describe(
      'One of the recovery codes, of which each works once. Case, spaces and dashes do not matter',
    )
    .meta({ examples: ['7k2m-q9fx-4tbd-h0wz'] });

/** A code that proves the second factor. */
export type FactorCode = { kind: 'totp' | 'recovery'; code: string };

/** Reads a code that may be one of the app or a recovery code: only the former has six digits. */
export function readFactorCode(typed: string): FactorCode {
  const digits = toPlainDigits(typed);
  return SIX_DIGITS.test(digits)
    ? { kind: 'totp', code: digits }
    : { kind: 'recovery', code: typed };
}

export const beginTotpRequest = z
  .object({
    password: knownPassword()
      .optional()
      .describe('The current password. Required if the session began more than 10 minutes ago'),
  })
  .meta({ id: 'BeginTotpRequest' });

/** The body may be absent. */
export function parseBeginTotp(body: unknown) {
  return parseBody(beginTotpRequest, body ?? {});
}

export const totpSecret = z
  .object({
    secret: z
      .string()
      .describe('In base32, for apps that read no QR code')
      .meta({ examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    uri: z
      .string()
      .describe('For a QR code')
      .meta({
        examples: [
          'otpauth://totp/sms.example.com:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=sms.example.com&algorithm=SHA1&digits=6&period=30',
        ],
      }),
  })
  .meta({ id: 'TotpSecret' });

export const confirmTotpRequest = z.object({ code: totpCode() }).meta({ id: 'ConfirmTotpRequest' });

export const provenRequest = z
  .object({
    password: knownPassword().describe('The current password'),
    code: textUpTo(CODE_MAX_CHARACTERS)
      .describe('The code of the authenticator app, or a recovery code')
      .meta({ examples: ['123456'] }),
  })
  .meta({ id: 'PasswordAndCode' });

export const recoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string().meta({ examples: ['7k2m-q9fx-4tbd-h0wz'] }))
      .describe('Ten codes, shown only here. Each works once'),
  })
  .meta({ id: 'RecoveryCodes' });

export const secondFactorState = z
  .object({
    since: timestamp,
    recovery_codes_left: z.int().min(0).describe('Unused recovery codes'),
  })
  .meta({ id: 'SecondFactor' });
