import { z } from 'zod';

import { matching, token } from '../credential-fields.ts';

export const credentials = z
  .object({
    api_key: token(),
    public_key: matching(
      '^[A-Za-z0-9+/]{43}=$',
      'must be 32 bytes in base64, as shown in the Telnyx portal',
    ),
    messaging_profile_id: z.uuid('must be a UUID').nullish(),
  })
  .meta({ id: 'TelnyxCredentials' });

export type Credentials = z.output<typeof credentials>;
