import type { VendorApi } from '../vendor-description.ts';

export const api: VendorApi = {
  origin: 'https://api.nexmo.com',
  note: 'An account outside the default region has its own, for example `https://api-us-1.nexmo.com`.',
};
