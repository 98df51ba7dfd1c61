import { z } from 'zod';

/** The headers of a route that stores credentials. */
export const strictCredentials = z.object({
  Prefer: z
    .string()
    .optional()
    .describe(
      '`handling=strict` verifies the credentials with the provider first. If the provider refuses ' +
        'them, the response is the error `invalid_params` and the configuration stays as it is. Without the ' +
        'header, the service stores them unverified',
    )
    .meta({ examples: ['handling=strict'] }),
});
