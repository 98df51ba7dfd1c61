export { credentials } from './credentials-schema.ts';
export { form } from './form.ts';

/** Each account names its own server. */
export const api = null;

/** Everything arrives over the session. */
export const webhooks = null;

export const loadAdapter = async () => (await import('./smpp-adapter.ts')).createSmppAdapter;
