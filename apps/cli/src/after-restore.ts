// npm run after-restore: run this once after the database was restored to an earlier state by other
// means than `npm run restore-swap`, which does the same, and before any worker starts.
import { readCommandConfig } from './config.ts';
import { prepareRestored } from './restore/prepare-restored.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'after-restore' }, async () => {
  const count = await prepareRestored(readCommandConfig('after-restore').DATABASE_URL);
  console.log(`Messages to be looked up before they are sent: ${count}. Workers may start.`);
});
