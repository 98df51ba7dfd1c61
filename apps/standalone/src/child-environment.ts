import type { StandaloneConfig } from './config.ts';

/** The environment of every child: the operator's own, with what was decided here on top. */
export function createChildEnvironment(
  config: StandaloneConfig,
  decided: { databaseUrl: string; secretKey: string },
): Record<string, string> {
  const own: Record<string, string> = {
    HOST: config.host,
    PORT: String(config.port),
    SIMULATOR_PORT: String(config.simulatorPort),
    DATA_DIR: config.dataDir,
    DATABASE_URL: decided.databaseUrl,
    SECRET_KEY: decided.secretKey,
    PUBLIC_URL: config.publicUrl,
    TWILIO_API_URL: config.twilioApiUrl,
  };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.env)) {
    // A setting and its file form together are an error; the file has been read already.
    const isDecided = name.endsWith('_FILE') && name.slice(0, -'_FILE'.length) in own;
    if (value !== undefined && !isDecided) env[name] = value;
  }
  return { ...env, ...own };
}
