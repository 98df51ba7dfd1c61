import {
  type VendorTypeWithApi,
  listVendors,
  toApiUrlSetting,
} from '@switchboard/providers/vendors';
import { withDefault } from './declare-setting.ts';
import { httpBaseSetting } from './setting-kinds.ts';

export type ApiUrlSetting = ReturnType<typeof toApiUrlSetting<VendorTypeWithApi>>;

/** The addresses of the vendors' APIs. */
export const PROVIDER_SETTINGS = Object.fromEntries(
  listVendors().flatMap(([type, { api, form }]) =>
    api === null
      ? []
      : [[toApiUrlSetting(type), describeApiUrl(form.name, api.origin, api.note)] as const],
  ),
) as Record<ApiUrlSetting, ReturnType<typeof describeApiUrl>>;

export const API_URL_SETTINGS = Object.keys(PROVIDER_SETTINGS) as ApiUrlSetting[];

function describeApiUrl(name: string, origin: string, note = '') {
  return withDefault(httpBaseSetting(), origin, {
    readBy: ['api', 'worker', 'standalone', 'demo-data'],
    standalone: 'the simulator',
    description: `The address of ${name}'s API. ${note}`.trim(),
  });
}
