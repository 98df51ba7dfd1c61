import { createProviderStore } from '@switchboard/database';
import { createMailer } from '@switchboard/mail';
import {
  createOutboundFetch,
  createProviderRegistry,
  createResolveProviderAccount,
  readApiUrls,
  readProxy,
  type ProviderRegistry,
} from '@switchboard/providers';
import { listVendors, toApiUrlSetting } from '@switchboard/providers/vendors';
import { API_URL_SETTINGS, createSecretBox } from '@switchboard/runtime';
import type { Check } from './check.ts';
import type { DoctorContext } from './context.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkClock } from './check-clock.ts';
import { checkConnections } from './check-connections.ts';
import { checkDisk } from './check-disk.ts';
import { checkDurability } from './check-durability.ts';
import { checkMail, checkWaitingMails } from './check-mail.ts';
import { checkNumbers } from './check-numbers.ts';
import { checkPooler } from './check-pooler.ts';
import { checkProviderClock } from './check-provider-clock.ts';
import { checkProviders } from './check-providers.ts';
import { checkProxy } from './check-proxy.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkReplica } from './check-replica.ts';
import { checkRole } from './check-role.ts';
import { checkSchema } from './check-schema.ts';
import { checkSecondFactors } from './check-second-factors.ts';
import { checkServer } from './check-server.ts';
import { checkSettings } from './check-settings.ts';
import { checkSingleSignOn } from './check-single-sign-on.ts';
import { checkWorkers } from './check-workers.ts';
import { checkRedis } from './redis/check-redis.ts';
import { checkSentinels } from './redis/check-sentinels.ts';

const FETCH_TIMEOUT_MS = 5_000;

/** All checks of `doctor`, in the order of its lines. No check depends on an earlier one. */
export const CHECKS: readonly Check[] = [
  { part: 'settings', run: async ({ environment }) => checkSettings(environment) },
  { part: 'database', run: ({ database }) => checkServer(database()) },
  { part: 'role', run: async ({ connected }) => checkRole(await connected()) },
  { part: 'durability', run: async ({ connected }) => checkDurability(await connected()) },
  {
    part: 'connections',
    run: async ({ connected, running, setting }) =>
      checkConnections(await connected(), {
        databaseUrl: setting('DATABASE_URL'),
        hasRedis: setting('REDIS_URL') !== undefined,
        // Without the table of processes, one of each kind is assumed.
        running: await running().catch(() => []),
      }),
  },
  { part: 'clock', run: async ({ connected }) => checkClock(await connected()) },
  { part: 'schema', run: async ({ connected }) => checkSchema(await connected()) },
  {
    part: 'pooler',
    run: async ({ connected, setting }) =>
      checkPooler(await connected(), {
        databaseUrl: setting('DATABASE_URL'),
        directUrl: setting('DIRECT_DATABASE_URL'),
      }),
  },
  {
    part: 'replica',
    run: async ({ connected, setting }) =>
      checkReplica(await connected(), {
        url: setting('REPLICA_DATABASE_URL'),
        maxLagMs: setting('REPLICA_MAX_LAG_MS'),
      }),
  },
  { part: 'workers', run: async ({ running }) => checkWorkers(await running()) },
  { part: 'sentinels', run: async ({ setting }) => checkSentinels(setting('REDIS_URL')) },
  { part: 'redis', run: async ({ setting }) => checkRedis(setting('REDIS_URL')) },
  {
    part: 'public URL',
    run: async ({ setting }) => checkPublicUrl(setting('PUBLIC_URL'), createFetch(setting)),
  },
  { part: 'certificate', run: async ({ setting }) => checkCertificate(setting('PUBLIC_URL')) },
  {
    part: 'proxy',
    run: async ({ setting }) => checkProxy(setting('PUBLIC_URL'), setting('TRUST_PROXY')),
  },
  { part: 'mail', run: async ({ setting }) => checkMail(openMailer(setting)) },
  { part: 'waiting mails', run: async ({ migrated }) => checkWaitingMails(await migrated()) },
  {
    part: 'single sign-on',
    run: async ({ setting }) => checkSingleSignOn(readSingleSignOn(setting)),
  },
  {
    part: 'second factors',
    run: async ({ migrated, setting }) =>
      checkSecondFactors(await migrated(), createSecretBox(setting('SECRET_KEY'))),
  },
  { part: 'disk', run: () => checkDisk() },
  {
    part: 'provider clock',
    async run({ connected, setting }) {
      const database = await connected();
      const compared = API_URL_SETTINGS.filter((name) => isClockCompared(name));
      const findings = compared.map((name) =>
        checkProviderClock(database, { name, url: setting(name) }, createFetch(setting)),
      );
      return (await Promise.all(findings)).flat();
    },
  },
  {
    part: 'providers',
    async run({ migrated, setting }) {
      const secretBox = createSecretBox(setting('SECRET_KEY'));
      const registry = await createRegistry(setting);
      try {
        const providers = createProviderStore(await migrated());
        const resolveProviderAccount = createResolveProviderAccount({ registry, secretBox });
        return await checkProviders({ providers, resolveProviderAccount });
      } finally {
        await registry.close();
      }
    },
  },
  {
    part: 'numbers',
    async run({ migrated, setting }) {
      const registry = await createRegistry(setting);
      try {
        return await checkNumbers(await migrated(), registry, setting('PUBLIC_URL'));
      } finally {
        await registry.close();
      }
    },
  },
];

function isClockCompared(name: string): boolean {
  return listVendors().some(
    ([type, { api }]) => toApiUrlSetting(type) === name && api?.isClockCompared === true,
  );
}

function openMailer(setting: DoctorContext['setting']) {
  const [server, from] = [setting('SMTP_URL'), setting('MAIL_FROM')];
  if (server === undefined || from === undefined) return null;
  const hostName = new URL(setting('PUBLIC_URL')).hostname;
  return createMailer({ server, from, hostName, timeoutMs: FETCH_TIMEOUT_MS });
}

function readSingleSignOn(setting: DoctorContext['setting']) {
  const issuer = setting('OIDC_ISSUER');
  const clientId = setting('OIDC_CLIENT_ID');
  const clientSecret = setting('OIDC_CLIENT_SECRET');
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const redirectUri = `${setting('PUBLIC_URL')}/api/ui/oidc/callback`;
  return { issuer, clientId, clientSecret, redirectUri, proxy: openProxy(setting) };
}

function openProxy(setting: DoctorContext['setting']) {
  return readProxy({ HTTPS_PROXY: setting('HTTPS_PROXY'), NO_PROXY: setting('NO_PROXY') });
}

function createFetch(setting: DoctorContext['setting']) {
  return createOutboundFetch({ timeoutMs: FETCH_TIMEOUT_MS, proxy: openProxy(setting) });
}

function createRegistry(setting: DoctorContext['setting']): Promise<ProviderRegistry> {
  return createProviderRegistry({
    apiUrls: readApiUrls(Object.fromEntries(API_URL_SETTINGS.map((name) => [name, setting(name)]))),
    callTimeoutMs: setting('PROVIDER_TIMEOUT_MS'),
    privateNetworks: setting('PROVIDER_PRIVATE_NETWORKS'),
    proxy: openProxy(setting),
  });
}
