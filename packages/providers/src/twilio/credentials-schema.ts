import { z } from 'zod';

import { matching, token } from '../credential-fields.ts';

/** Twilio SIDs: two letters for the kind of resource, and 32 hexadecimal digits. */
const sid = (kind: string) =>
  matching(`^${kind}[0-9a-fA-F]{32}$`, `must be ${kind} and 32 hexadecimal digits`);

export const credentials = z
  .object({
    account_sid: sid('AC'),
    auth_token: token(),
    messaging_service_sid: sid('MG').nullish(),
  })
  .meta({ id: 'TwilioCredentials' });

export type Credentials = z.output<typeof credentials>;
