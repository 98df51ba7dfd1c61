import { join } from 'node:path';
import { toApiUrlSetting } from '@switchboard/providers/vendors';
import type { StandaloneConfig } from './config.ts';

/** Returns the environment of the child processes: the operator's, overridden by the chosen values. */
export function createChildEnvironment(
  config: StandaloneConfig,
  chosen: {
    databaseUrl: string;
    secretKey: string;
    /** The simulator's URL for the API of each provider. */
    providerUrls: Readonly<Record<string, string>>;
  },
): Record<string, string> {
  const own: Record<string, string> = {
    HOST: config.host,
    PORT: String(config.port),
    SIMULATOR_PORT: String(config.simulatorPort),
    DATA_DIR: config.dataDir,
    DATABASE_URL: chosen.databaseUrl,
    SECRET_KEY: chosen.secretKey,
    PUBLIC_URL: config.publicUrl,
  };
  for (const [provider, simulated] of Object.entries(chosen.providerUrls)) {
    const name = toApiUrlSetting(provider);
    // The accounts of other providers name their own servers.
    if (name in config.apiUrls) own[name] = config.apiUrls[name] ?? simulated;
  }
  // The receiver of the first webhook is usually a program on this machine, and so is the simulator.
  const env: Record<string, string> = {
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    PROVIDER_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    MEDIA_FOLDER: join(config.dataDir, 'media'),
  };
  for (const [name, value] of Object.entries(config.env)) {
    // A setting and its `_FILE` form must not both be set. The file has already been read.
    const isChosen = name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in own;
    if (value !== undefined && !isChosen) env[name] = value;
  }
  return { ...env, ...own };
}
