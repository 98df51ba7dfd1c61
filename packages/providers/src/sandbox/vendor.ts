import { z } from 'zod';

export { form } from './form.ts';

export const credentials = z
  .object({})
  .meta({ id: 'SandboxCredentials', description: 'No credentials: the sandbox sends nothing' });

export const credentialsNote = '`{}`, which sends nothing';

export const api = null;

export const webhooks = null;

export const loadAdapter = async () => (await import('./sandbox-adapter.ts')).createSandboxAdapter;
