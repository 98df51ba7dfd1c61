// npm run after-restore: prepares a database that was restored to an earlier state without
// `npm run restore-swap`, which does the same. Run it once, before any worker starts.
import { readCommandConfig } from './config.ts';
import { prepareRestored } from './restore/prepare-restored.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'after-restore' }, async () => {
  const { messages, sessions } = await prepareRestored(
    readCommandConfig('after-restore').DATABASE_URL,
  );
  console.log(`Messages to look up at the provider before they are sent: ${messages}.`);
  console.log(`Sessions ended: ${sessions}. Users sign in again. You can now start the service.`);
});
