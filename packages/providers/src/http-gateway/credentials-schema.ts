import { z } from 'zod';

/** Sections whose fields depend on each other: `read-credentials.ts` reads them. */
export const credentials = z.looseObject({}).meta({
  id: 'HttpGatewayCredentials',
  description: 'The description of an HTTP gateway, which its adapter checks',
});
