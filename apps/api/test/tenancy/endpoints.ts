import {
  type Endpoint,
  exampleOf,
  listEndpoints,
  listPathParameters,
} from '@switchboard/contracts';
import { PNG } from '../media-samples.ts';
import type { Tenant } from './tenant.ts';

/** A path of a route, as the tenancy tests call it. */
export interface TestedEndpoint extends Endpoint {
  /** The names of the path's variables. */
  params: string[];
  /** The example body of the definition, which is valid. */
  json?: object | undefined;
  /** The file, if the body is a file. */
  raw?: Buffer;
  isUpgrade: boolean;
  /** The status for an authorized caller and their own resources. */
  status: number;
}

/** Routes whose example cannot succeed here, with the status for an authorized caller. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  // The service never fetches media from the address in the fixture.
  getMedia: 400,
  // The tenants are in live mode.
  receiveTestMessage: 400,
  // The provider is not reachable here.
  listProviderNumbers: 400,
  // The other contact of the example is not the workspace's.
  mergeContact: 400,
  // The provider of the example is not the workspace's.
  putRouting: 400,
  // The name of the example is not the workspace's.
  closeWorkspace: 400,
  // The password of the example is not the user's.
  changePassword: 400,
  changeEmail: 400,
  closeAccount: 400,
  beginTotp: 400,
  createRecoveryCodes: 400,
  removeTotp: 400,
  // The user has no second factor that is being set up.
  confirmTotp: 400,
  disconnectIdentity: 400,
  // Single sign-on is not set up here.
  connectIdentity: 400,
};

export const endpoints: TestedEndpoint[] = listEndpoints().map((endpoint) => {
  const { route, name, path } = endpoint;
  const isJson = route.body !== undefined && route.bodyType === undefined;
  return {
    ...endpoint,
    params: listPathParameters(path),
    ...(isJson && route.body !== undefined && { json: exampleOf(route.body, 'input') as object }),
    ...(route.bodyType === 'application/octet-stream' && { raw: PNG }),
    isUpgrade: route.response.status === 101,
    status: OTHER_STATUS[name] ?? route.response.status,
  };
});

const id = '00000000-0000-7000-8000-000000000000';

/** Returns values that identify no resource: well-formed and malformed ones. */
export function unknownValuesOf(param: string): string[] {
  const more: Record<string, string[]> = {
    messageId: ['SM00000000000000000000000000000000'],
    token: [`swi_${'0'.repeat(43)}`],
    index: ['1', '-1'],
    number: ['+15550000000'],
  };
  return [id, 'none', '%00', "'", ...(more[param] ?? [])];
}

/** Returns the values of a path parameter that identify a tenant's own resource. */
export function valuesOf(endpoint: TestedEndpoint, tenant: Tenant, param: string): string[] {
  const isReceived = endpoint.params.includes('index') && param === 'messageId';
  const values = isReceived ? tenant.receivedIds : tenant.params[param];
  if (values === undefined) {
    throw new Error(
      `${endpoint.key} has {${param}}, for which no tenant has a value: create one in createTenant of ` +
        `apps/api/test/tenancy/tenant.ts and return its name in \`params.${param}\``,
    );
  }
  return values;
}

/** Lists the paths of an endpoint with the ids of a tenant, except for the given values. */
export function addressesOf(
  endpoint: TestedEndpoint,
  tenant: Tenant,
  given: Record<string, string> = {},
): string[] {
  return endpoint.params.reduce<string[]>(
    (paths, param) => {
      const values =
        given[param] === undefined ? valuesOf(endpoint, tenant, param) : [given[param]];
      return paths.flatMap((path) => values.map((value) => path.replace(`{${param}}`, value)));
    },
    [endpoint.path],
  );
}
