import { z } from 'zod';
import { pageOf } from './page.ts';
import { phoneNumber as e164, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const flag = z.boolean('must be true or false');

export const addNumberRequest = z
  .object({
    number: e164(),
    label: textUpTo(100).optional(),
    is_default: flag
      .optional()
      .describe('The first number of a workspace becomes its default, whatever the value'),
  })
  .meta({ id: 'AddNumberRequest' });

export const changeNumberRequest = z
  .object({
    label: textUpTo(100).optional(),
    is_default: flag
      .optional()
      .describe('To change the default number, make another number the default'),
  })
  .meta({ id: 'ChangeNumberRequest' });

export const phoneNumber = z
  .object({
    id: z.uuid(),
    number: z.string(),
    label: z.string(),
    is_default: z
      .boolean()
      .describe(
        'Exactly one number is the default. If it is deleted, the oldest remaining number becomes the default',
      ),
    capabilities: z.array(z.string()),
    created_at: timestamp,
    inbound_wired: z
      .boolean()
      .describe(
        'Whether the provider’s account owns the number and delivers its inbound messages here, with retries when this service fails. Compared with the provider’s own list about once a minute. Numbers that an earlier release configured are false until their provider is verified',
      ),
  })
  .meta({ id: 'PhoneNumber' });

export const phoneNumberList = pageOf(phoneNumber).meta({ id: 'PhoneNumberList' });

export type PhoneNumber = z.infer<typeof phoneNumber>;
