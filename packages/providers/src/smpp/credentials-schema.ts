import { z } from 'zod';

import { asciiUpTo, choice, integer, matching, textUpTo } from '../credential-fields.ts';

/** Type of number and numbering plan indicator, sections 5.2.5 and 5.2.6 of SMPP 3.4. */
const TON = integer(0, 6).nullish();
const NPI = integer(0, 18).nullish();

/** A host name or an IP address. */
const HOST = /^[\p{L}\p{N}]([\p{L}\p{N}._:-]{0,252}[\p{L}\p{N}])?$|^::1?$/u;

/** Values of `command_status`, separated by commas. */
const ERROR_CODE = '(0[xX][0-9a-fA-F]{1,8}|[0-9]{1,10})';
const MAX_STATUS = 0xffffffff;

export const credentials = z
  .object({
    host: textUpTo(255)
      .transform((value) => value.trim().toLowerCase())
      .refine((value) => HOST.test(value), { error: 'must be a host name or an IP address' })
      .describe('The host name or the IP address of the SMSC'),
    port: integer(1, 65_535),
    tls: z.boolean('must be true or false'),
    system_id: asciiUpTo(15),
    password: asciiUpTo(32),
    system_type: asciiUpTo(12).nullish(),
    bind: choice(['transceiver', 'transmitter_receiver'])
      .nullish()
      .describe('`transceiver` by default'),
    window: integer(1, 500)
      .nullish()
      .describe('How many messages may wait for a response on one bind. 10 by default'),
    max_binds: integer(1, 10)
      .nullish()
      .describe(
        'How many binds all workers together may have, in pairs with `transmitter_receiver`. 1 by default',
      ),
    long_messages: choice(['udh', 'payload'])
      .nullish()
      .describe('`udh`, the default: several parts with a header. `payload`: `message_payload`'),
    message_ids: choice(['same', 'decimal', 'hex_in_response', 'hex_in_receipt'])
      .nullish()
      .describe('How the SMSC writes message ids in responses and receipts. `same` by default'),
    throttle_codes: matching(
      `^ *${ERROR_CODE}([ ,]+${ERROR_CODE}){0,19} *$`,
      'must be at most 20 error codes, separated by commas, for example 0x0403, 0x0404',
    )
      .refine((value) => parseCodes(value).every((code) => code > 0 && code <= MAX_STATUS), {
        error: 'must have error codes from 0x1 to 0xffffffff',
      })
      .nullish()
      .describe(
        'Further errors with which the SMSC refuses a message for the moment, in hexadecimal or decimal. The message is sent again',
      ),
    source_ton: TON,
    source_npi: NPI,
    destination_ton: TON,
    destination_npi: NPI,
  })
  .meta({ id: 'SmppCredentials' });

export type Credentials = z.output<typeof credentials>;

/** Parses a list of values of `command_status`, in hexadecimal or decimal: `0x0403, 1028`. */
export function parseCodes(list: string): number[] {
  return [
    ...new Set(
      list
        .split(/[ ,]+/)
        .filter((code) => code !== '')
        .map(Number),
    ),
  ];
}
