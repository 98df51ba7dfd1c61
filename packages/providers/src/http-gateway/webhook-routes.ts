import { z } from 'zod';

import type { VendorWebhooks } from '../vendor-description.ts';

const body = z
  .looseObject({})
  .describe(
    'An object or a form of any shape. The configuration of the account defines where its values are',
  )
  .meta({ id: 'GatewayWebhook', examples: [{ id: 'EKJyHj4ZNU', status: 'delivered' }] });

const description =
  'Also accepts forms. The credentials of the account name the header of the signature and the paths to the values. Signed events of other kinds get the response 200 and are ignored.';

export const webhooks: VendorWebhooks = {
  address: 'providerId',
  signature: {
    name: 'gateway_signature',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Signature',
      description:
        'The HMAC-SHA256 of the body, in the header that the gateway account names in `signing`',
    },
  },
  status: {
    operationId: 'receiveGatewayStatus',
    summary: 'Receive the status of a message from an HTTP gateway',
    description,
    body,
  },
  inbound: {
    operationId: 'receiveGatewayMessage',
    summary: 'Receive a message from an HTTP gateway',
    description,
    body,
  },
};
