import { z } from 'zod';
import type { VendorApi, VendorDescription } from '../../src/vendors.ts';

const note = z.object({ note: z.string(), to: z.string(), from: z.string(), text: z.string() });

export const credentials = z.object({ loft: z.string(), token: z.string() });

export const api: VendorApi = { origin: 'https://pigeon.example' };

export const webhooks: VendorDescription['webhooks'] = {
  address: 'providerId',
  signature: {
    name: 'pigeon_signature',
    scheme: { type: 'apiKey', in: 'header', name: 'X-Pigeon-Ring' },
  },
  status: {
    operationId: 'receivePigeonStatus',
    summary: 'Receive the state of a note',
    body: note.extend({ state: z.string(), reason: z.string().optional() }),
  },
  inbound: { operationId: 'receivePigeonNote', summary: 'Receive a note', body: note },
  examples: { note: 'n1', text: 'Coo', state: 'landed' },
};

export const form: VendorDescription['form'] = {
  name: 'Pigeon',
  about: 'Sends notes.',
  fields: [
    { name: 'loft', label: 'Loft', hint: 'The name of the loft.' },
    { name: 'token', label: 'Token', hint: 'Written on the ring.', isSecret: true },
  ],
};

export const loadAdapter = async () => (await import('./pigeon-adapter.ts')).createPigeonAdapter;
