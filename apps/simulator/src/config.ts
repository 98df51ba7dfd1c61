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
  const port = env['SIMULATOR_PORT'] || '3001';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`SIMULATOR_PORT must be a port from 0 to 65535, not "${port}".`);
  }
  const logLevel = env['LOG_LEVEL'] || 'warn';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new Error(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  return {
    host: env['HOST'] || '127.0.0.1',
    port: Number(port),
    dataDir: `${env['DATA_DIR'] || '.data'}/simulator`,
    logLevel,
  };
}
