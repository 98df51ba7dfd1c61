import { z } from 'zod';

/** Not only phone numbers: any text without control characters. */
export const address = z
  .string()
  .regex(/^\P{Cc}{1,128}$/u)
  // The same set without a property escape, because not all JSON Schema tools support those.
  .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,128}$` });

export const identifier = z.string().regex(/^[\w-]{1,64}$/);

export const word = z.string().regex(/^[\w.-]{1,64}$/);
