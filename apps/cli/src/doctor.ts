// npm run doctor: looks at all that the service stands on, with the settings it runs with, and says
// what to mend. Changes nothing. Exit code 1 when anything must be mended.
import { createDatabase, createProviderStore } from '@switchboard/database';
import { createProviderRegistry } from '@switchboard/providers';
import { createSecretBox } from '@switchboard/runtime';
import { readDoctorConfig } from './config.ts';
import { checkDatabase } from './doctor/check-database.ts';
import { checkNumbers } from './doctor/check-numbers.ts';
import { checkPooler } from './doctor/check-pooler.ts';
import { checkProviderClock } from './doctor/check-provider-clock.ts';
import { checkProviders } from './doctor/check-providers.ts';
import { checkPublicUrl } from './doctor/check-public-url.ts';
import { checkRedis } from './doctor/check-redis.ts';
import { checkReplica } from './doctor/check-replica.ts';
import { type Finding, formatFinding } from './doctor/finding.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'doctor' }, async () => {
  const config = readDoctorConfig();
  let mustMend = false;
  const tell = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      console.log(formatFinding(finding));
      if (finding.verdict === 'bad') mustMend = true;
    }
  };
  tell([{ verdict: 'good', part: 'settings', text: 'Every setting can be read.' }]);

  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    applicationName: 'switchboard-doctor',
    onError: (error) => console.error(error.message),
  });
  const registry = createProviderRegistry({
    twilioApiUrl: config.TWILIO_API_URL,
    callTimeoutMs: config.PROVIDER_TIMEOUT_MS,
  });
  try {
    const ofDatabase = await checkDatabase(database);
    tell(ofDatabase);
    if (ofDatabase.length > 1) {
      const urls = { databaseUrl: config.DATABASE_URL, directUrl: config.DIRECT_DATABASE_URL };
      tell(await checkPooler(database, urls));
      const { REPLICA_DATABASE_URL: url, REPLICA_MAX_LAG_MS: maxLagMs } = config;
      tell(await checkReplica(database, { url, maxLagMs }));
      tell([await checkProviderClock(database, config.TWILIO_API_URL)]);
    }
    tell(await checkRedis(config.REDIS_URL));
    tell([await checkPublicUrl(config.PUBLIC_URL)]);
    // They are read from tables that must be there first.
    if (ofDatabase.every(({ verdict, part }) => verdict === 'good' || part === 'clock')) {
      const providers = createProviderStore(database);
      const secretBox = createSecretBox(config.SECRET_KEY);
      tell(await checkProviders({ providers, registry, secretBox }));
      tell([await checkNumbers(database, config.PUBLIC_URL)]);
    }
  } finally {
    await registry.close();
    await database.close();
  }
  if (mustMend) process.exitCode = 1;
});
