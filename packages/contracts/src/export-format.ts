import { z } from 'zod';
import { readCountryCode } from '@switchboard/core';

/** How the numbers of an exported table are written. */
export const exportFormat = z.object({
  numbers: z
    .enum(['e164', 'spaced'], 'must be e164 or spaced')
    .optional()
    .describe(
      '`spaced` writes a space after the country code, as in `+49 15123456704`: spreadsheets keep that text, and drop the plus of `e164`, the default',
    ),
});

export type NumberFormat = NonNullable<z.infer<typeof exportFormat>['numbers']>;

/** Writes a number in E.164 so that spreadsheets keep it as text in every language. Returns other texts unchanged. */
export function spaceNumber(number: string): string {
  const code = readCountryCode(number);
  return code === null ? number : `+${code} ${number.slice(code.length + 1)}`;
}
