import { type VendorWebhook, listVendors, toWebhookPath } from '@switchboard/providers/vendors';
import type { Route } from './define-route.ts';
import { ok } from './ok.ts';

const forged = 'Insufficient permissions for the resource: the signature is not valid';

/** The webhooks of the vendors, by the name of their operation. Each adapter verifies and parses the bodies itself. */
export const webhookRoutes: Readonly<Record<string, Route>> = Object.fromEntries(
  listVendors().flatMap(([type, { webhooks }]) => {
    if (webhooks === null) return [];
    const { address, signature, status, inbound } = webhooks;
    const define = (kind: 'status' | 'inbound', webhook: VendorWebhook): [string, Route] => {
      const { operationId, reply, ...described } = webhook;
      const route: Route = {
        ...described,
        method: 'POST',
        paths: { [signature.name]: toWebhookPath(type, `{${address}}`, kind) },
        tag: 'Provider webhooks',
        response: { status: 200, ...(reply ?? { schema: ok }) },
        errors: { forbidden: forged },
      };
      return [operationId, route];
    };
    return [define('status', status), define('inbound', inbound)];
  }),
);
