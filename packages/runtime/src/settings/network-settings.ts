import { optional, required, withDefault } from './declare-setting.ts';
import { PROVIDER_SETTINGS } from './provider-settings.ts';
import { directHostsSetting, proxyUrlSetting } from './proxy-kinds.ts';
import {
  booleanSetting,
  httpBaseSetting,
  integerSetting,
  networksSetting,
  portSetting,
  secretKeysSetting,
  textSetting,
} from './setting-kinds.ts';

export const NETWORK_SETTINGS = {
  PORT: withDefault(portSetting(), '3000', {
    readBy: ['api', 'standalone', 'demo-data'],
    description: 'The port on which the API listens; 0 lets the system choose.',
  }),
  HOST: withDefault(textSetting('an address of this machine'), '127.0.0.1', {
    readBy: ['api', 'worker', 'simulator', 'standalone', 'demo-data'],
    description: 'The address on which each process listens; `::` for all addresses.',
  }),
  OPS_PORT: optional(portSetting(), {
    readBy: ['api'],
    absent: 'on `PORT`',
    description:
      'A separate port for `/metrics` and the [queue page](runbook.md#the-queue-page), which are then not on `PORT`. Health checks are on both.',
  }),
  METRICS_PORT: optional(portSetting(), {
    readBy: ['worker'],
    absent: 'not served',
    description: 'The port on which a worker answers `/metrics` and `/health/ready`.',
  }),
  PUBLIC_URL: required(httpBaseSetting(), {
    readBy: ['api', 'worker', 'standalone', 'demo-data', 'reset-password', 'sign-in-link'],
    standalone: '`http://HOST:PORT`',
    description:
      'The address to which providers send callbacks. Providers sign this address, so it must be exact. Links in mails begin with it.',
  }),
  TRUST_PROXY: withDefault(integerSetting({ min: 0, max: 10 }), '0', {
    readBy: ['api'],
    description:
      'The number of proxies in front of the API. If it is too low, all clients appear to have the address of the proxy. If it is too high, clients can forge their address.',
  }),
  SECRET_KEY: required(secretKeysSetting(), {
    readBy: ['api', 'worker', 'standalone', 'demo-data', 'rotate-secrets', 'restore'],
    standalone: 'generated and kept',
    description:
      'Encrypts provider credentials. To [rotate it](secrets.md#secret_key), set several keys with their versions: `2:<new>,1:<old>`.',
  }),
  ...PROVIDER_SETTINGS,
  HTTPS_PROXY: optional(proxyUrlSetting(), {
    readBy: ['api', 'worker'],
    absent: 'direct connections',
    description:
      'The [proxy](deploy.md#outbound-proxy) for https connections to providers, received media and workspace webhooks. `https_proxy` takes precedence, as in curl.',
  }),
  NO_PROXY: optional(directHostsSetting(), {
    readBy: ['api', 'worker'],
    absent: 'only this machine',
    description:
      'Hosts that are reached without `HTTPS_PROXY`. `no_proxy` takes precedence, as in curl.',
  }),
  PROVIDER_PRIVATE_NETWORKS: optional(networksSetting(), {
    readBy: ['api', 'worker'],
    absent: 'only the public internet',
    standalone: '`127.0.0.0/8,::1/128`',
    description:
      'Private networks in which the servers of [provider accounts](providers/README.md#private-networks) may be, in addition to the public internet.',
  }),
  WEBHOOK_PRIVATE_NETWORKS: optional(networksSetting(), {
    readBy: ['api', 'worker'],
    absent: 'only the public internet',
    description:
      'Private networks in which the receivers of [workspace webhooks](webhooks.md#private-networks) may be, with http or https, in addition to the public internet.',
  }),
  WEBHOOK_ALLOW_LOOPBACK: withDefault(booleanSetting(), 'false', {
    readBy: ['api', 'worker'],
    standalone: 'true',
    description:
      'Adds this machine itself (`127.0.0.0/8` and `::1`) to `WEBHOOK_PRIVATE_NETWORKS`. For development.',
  }),
  ALLOW_SIGNUP: withDefault(booleanSetting(), 'false', {
    readBy: ['api'],
    description: 'Whether anyone may create a user. Creating the first user is always allowed.',
  }),
  SIMULATOR_PORT: withDefault(portSetting(), '3001', {
    readBy: ['simulator', 'standalone', 'demo-data'],
    description: 'The port on which the carrier simulator listens.',
  }),
  DATA_DIR: withDefault(textSetting('a folder'), '.data', {
    readBy: ['simulator', 'standalone', 'demo-data'],
    description: "The folder of the embedded database, the simulator's ledger and `demo.json`.",
  }),
};
