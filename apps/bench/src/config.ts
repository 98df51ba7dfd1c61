export function readBenchConfig(env: NodeJS.ProcessEnv = process.env) {
  return { path: env['PATH'] ?? '' };
}

/** Reads the settings of the reference processes. They have the same names as the service's settings. */
export function readReferenceConfig(env: NodeJS.ProcessEnv = process.env) {
  return {
    databaseUrl: env['DATABASE_URL'] ?? '',
    redisUrl: env['REDIS_URL'] ?? '',
    /** The URL of the API, for callbacks. */
    publicUrl: env['PUBLIC_URL'] ?? '',
    twilioApiUrl: env['TWILIO_API_URL'] ?? '',
    workspaceId: env['WORKSPACE_ID'] ?? '',
    accountSid: env['ACCOUNT_SID'] ?? '',
    authToken: env['AUTH_TOKEN'] ?? '',
  };
}
