import { z } from 'zod';

import { textUpTo, token } from '../credential-fields.ts';

export const credentials = z
  .object({
    application_id: z.uuid('must be a UUID'),
    private_key: textUpTo(8_192).describe(
      'The file `private.key` of the application, in PEM format',
    ),
    signature_secret: token(),
    api_key: token()
      .nullish()
      .describe('The key of the whole account. With `api_secret`, its numbers can be listed'),
    api_secret: token().nullish().describe('Used together with `api_key`'),
  })
  .meta({ id: 'VonageCredentials' });

export type Credentials = z.output<typeof credentials>;
