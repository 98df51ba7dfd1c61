export { credentials } from './credentials-schema.ts';
export { form } from './form.ts';
export { webhooks } from './webhook-routes.ts';

export const credentialsNote =
  '`{ send, accepted, refused?, status_webhook?, inbound_webhook?, signing? }`, the description of a gateway such as a phone';

/** Each account names its own gateway. */
export const api = null;

export const loadAdapter = async () =>
  (await import('./http-gateway-adapter.ts')).createHttpGatewayAdapter;
