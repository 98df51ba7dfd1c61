/** The settings of the carrier simulator. They are read from the environment at start. */
export interface Config {
  host: string;
  port: number;
  /** The folder of the journal. */
  dataDir: string;
  logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Throws an `Error` with a one-sentence message for the operator. */
export function parseConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const port = read(env, 'SIMULATOR_PORT') || '3001';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`SIMULATOR_PORT must be a port from 0 to 65535, not "${port}".`);
  }
  const logLevel = read(env, 'LOG_LEVEL') || 'warn';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  return {
    host: read(env, 'HOST') || '127.0.0.1',
    port: Number(port),
    dataDir: `${read(env, 'DATA_DIR') || '.data'}/simulator`,
    logLevel,
  };
}

/** Removes white space and one pair of quotes around a setting, as the service does. */
function read(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name] ?? '')
    .trim()
    .replace(/^(["'])([^]*)\1$/, '$2')
    .trim();
}
