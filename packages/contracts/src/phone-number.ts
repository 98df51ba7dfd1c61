import { MAX_LISTED_NUMBERS, SENDER_KINDS } from '@switchboard/core';
import { z } from 'zod';
import { pageOf } from './page.ts';
import { sender, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const providerId = z.uuid('must be the `id` of a provider');
const senderKind = z.enum(SENDER_KINDS, `must be one of ${SENDER_KINDS.join(', ')}`);
const flag = z.boolean('must be true or false');
const capability = z.enum(['sms', 'mms'], 'must be sms or mms');

export const addNumberRequest = z
  .object({
    number: sender(),
    kind: senderKind
      .optional()
      .describe('Defaults to the kind that the format of the number implies'),
    provider_id: providerId.optional().describe('Defaults to the default provider'),
    label: textUpTo(100).optional(),
    capabilities: z
      .array(capability, 'must be a list')
      .max(2, 'must have at most 2 entries')
      .optional()
      .describe('What the number can send and receive. Defaults to both'),
    is_default: flag
      .optional()
      .describe('The first number of a workspace becomes its default, regardless of this value'),
  })
  .meta({ id: 'AddNumberRequest' });

export const changeNumberRequest = z
  .object({
    label: textUpTo(100).optional(),
    is_default: flag
      .optional()
      .describe('To change the default number, make another number the default'),
    provider_id: providerId.optional().describe('Moves the number to another provider account'),
  })
  .meta({ id: 'ChangeNumberRequest' });

export const phoneNumber = z
  .object({
    id: z.uuid(),
    number: z
      .string()
      .describe('A phone number, a short code or an alphanumeric sender ID, as `kind` says'),
    kind: senderKind,
    provider_id: z
      .uuid()
      .nullable()
      .describe('The provider account that the number belongs to; null if the workspace has none'),
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
        'Whether the provider’s account owns the number and delivers its inbound messages here, with retries when this service fails. Checked against the provider’s own list about once a minute. For numbers that an earlier release configured, the value is false until their provider is verified',
      ),
  })
  .meta({ id: 'PhoneNumber' });

export const phoneNumberList = pageOf(phoneNumber).meta({ id: 'PhoneNumberList' });

export type PhoneNumber = z.infer<typeof phoneNumber>;

/** The result of configuring inbound messages for a number at its provider. */
export const configureInboundResponse = z
  .object({
    ok: z.boolean().describe('Messages to the number are delivered here from now on'),
    detail: z.string().describe('A sentence for the user'),
  })
  .meta({ id: 'ConfigureInboundAnswer' });

/** A number in the list of the provider. */
export const providerNumber = z
  .object({
    number: z.string(),
    kind: senderKind,
    label: z.string().describe('Its name at the provider; empty if it has none'),
    capabilities: z.array(capability),
    number_id: z
      .uuid()
      .nullable()
      .describe(
        'The `id` of the number in this workspace; null if the workspace does not have the number',
      ),
    inbound: z
      .enum(['here', 'elsewhere', 'nowhere'])
      .describe('Where the provider sends the messages that the number receives'),
    inbound_host: z
      .string()
      .nullable()
      .describe('The host, if `inbound` is `elsewhere`; null if the provider does not show it'),
  })
  .meta({ id: 'ProviderNumber' });

export const providerNumberList = pageOf(providerNumber)
  .extend({
    is_complete: z
      .boolean()
      .describe(
        `False if the account has more than ${MAX_LISTED_NUMBERS} numbers: the list has the first ones`,
      ),
  })
  .meta({ id: 'ProviderNumberList' });

export type ProviderNumber = z.infer<typeof providerNumber>;
