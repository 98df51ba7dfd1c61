import { text } from './text.ts';

const PASSWORD_MIN_BYTES = 12;
/** A longer password would only cost hashing time. */
const PASSWORD_MAX_BYTES = 256;

const passwordBytes = (value: string) => new TextEncoder().encode(value).length;

export const newPassword = () =>
  text()
    .refine(
      (value) => {
        const bytes = passwordBytes(value);
        return bytes >= PASSWORD_MIN_BYTES && bytes <= PASSWORD_MAX_BYTES;
      },
      { error: `must have ${PASSWORD_MIN_BYTES} to ${PASSWORD_MAX_BYTES} bytes` },
    )
    .meta({ format: 'password', description: '12 to 256 bytes in UTF-8' });

export const knownPassword = () =>
  text()
    .refine((value) => passwordBytes(value) <= PASSWORD_MAX_BYTES, {
      error: `must have at most ${PASSWORD_MAX_BYTES} bytes`,
    })
    .meta({ format: 'password', maxLength: PASSWORD_MAX_BYTES });
