import type { VendorApi } from '../vendor-description.ts';

export const api: VendorApi = { origin: 'https://api.telnyx.com' };
