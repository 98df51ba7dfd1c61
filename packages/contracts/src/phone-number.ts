import { z } from 'zod';
import { pageOf } from './page.ts';
import { phoneNumber as e164, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const flag = z.boolean('must be true or false');

/** The first number of a workspace becomes its default, whatever `is_default` says. */
export const addNumberRequest = z.object({
  number: e164(),
  label: textUpTo(100).optional(),
  is_default: flag.optional(),
});

/** A default stops being it only by another becoming it. */
export const changeNumberRequest = z.object({
  label: textUpTo(100).optional(),
  is_default: flag.optional(),
});

export const phoneNumber = z.object({
  id: z.uuid(),
  number: z.string(),
  label: z.string(),
  /** Exactly one is, while there are any; after its deletion the oldest of the others. */
  is_default: z.boolean(),
  capabilities: z.array(z.string()),
  created_at: timestamp,
});

export const phoneNumberList = pageOf(phoneNumber);

export const addedNumber = phoneNumber.extend({
  /** Whether the provider's account owns the number and now sends us what it receives. */
  inbound_wired: z.boolean(),
});

export type PhoneNumber = z.infer<typeof phoneNumber>;
