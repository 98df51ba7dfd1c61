export function readBenchConfig(env: NodeJS.ProcessEnv = process.env) {
  return { path: env['PATH'] ?? '' };
}

/** Of the reference processes: the settings that the service's own have. */
export function readReferenceConfig(env: NodeJS.ProcessEnv = process.env) {
  return {
    databaseUrl: env['DATABASE_URL'] ?? '',
    redisUrl: env['REDIS_URL'] ?? '',
    /** Of the API, for callbacks. */
    publicUrl: env['PUBLIC_URL'] ?? '',
    twilioApiUrl: env['TWILIO_API_URL'] ?? '',
    workspaceId: env['WORKSPACE_ID'] ?? '',
    accountSid: env['ACCOUNT_SID'] ?? '',
    authToken: env['AUTH_TOKEN'] ?? '',
  };
}
