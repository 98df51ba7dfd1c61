export { api } from './api.ts';
export { credentials } from './credentials-schema.ts';
export { form } from './form.ts';
export { webhooks } from './webhook-routes.ts';

export const loadAdapter = async () => (await import('./vonage-adapter.ts')).createVonageAdapter;
