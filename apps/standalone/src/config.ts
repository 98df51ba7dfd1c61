import { resolve } from 'node:path';
import { findFreePort } from '@switchboard/embedded-postgres';
import { API_URL_SETTINGS, readProcessSettings } from '@switchboard/runtime';

const OPTIONAL = ['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL', ...API_URL_SETTINGS] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface StandaloneConfig {
  host: string;
  port: number;
  simulatorPort: number;
  dataDir: string;
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** If undefined, a key is created and kept in `dataDir`. */
  secretKey: string | undefined;
  /** The URL of the API on this machine. */
  apiUrl: string;
  publicUrl: string;
  simulatorUrl: string;
  /** The URLs of the providers' APIs that the operator has set, by the name of their setting. */
  apiUrls: Readonly<Record<string, string | undefined>>;
  isRunByNpm: boolean;
  /** The environment that the child processes inherit. They read all other settings from it. */
  env: Environment;
}

export async function readStandaloneConfig(
  env: Environment = process.env,
): Promise<StandaloneConfig> {
  const settings = readProcessSettings('standalone', env, { optional: OPTIONAL });
  const { HOST: host } = settings;
  const port = settings.PORT || (await findFreePort());
  const simulatorPort = settings.SIMULATOR_PORT || (await findFreePort());
  const apiUrl = `http://${reachable(host)}:${port}`;
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
  return {
    host,
    port,
    simulatorPort,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    secretKey: settings.SECRET_KEY,
    apiUrl,
    publicUrl: settings.PUBLIC_URL ?? apiUrl,
    simulatorUrl,
    apiUrls: Object.fromEntries(API_URL_SETTINGS.map((name) => [name, settings[name]])),
    isRunByNpm: env['npm_lifecycle_event'] !== undefined,
    env,
  };
}

/** Replaces the wildcard address, which is only valid for listening. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
