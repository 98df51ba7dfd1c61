import type { VendorApi } from '../vendor-description.ts';

export const api: VendorApi = { origin: 'https://api.twilio.com', isClockCompared: true };
