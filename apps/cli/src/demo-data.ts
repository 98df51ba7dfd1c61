// npm run demo-data: creates a user, a workspace, an API key, a number and a simulated provider for
// trying out the service, and writes their secrets to `demo.json`. Later runs keep this data.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, createWorkspaceStore } from '@switchboard/database';
import { readDemoDataConfig } from './config.ts';
import { createDemoData } from './demo-data/create-demo-data.ts';
import { readDemoFile, writeDemoFile } from './demo-data/demo-file.ts';
import { configureDemoNumber } from './demo-data/configure-demo-number.ts';
import { readProviderUrls } from './demo-data/read-provider-urls.ts';
import { runCommand } from './run-command.ts';

await runCommand({ name: 'demo-data' }, async () => {
  const config = readDemoDataConfig();
  const path = join(config.DATA_DIR, 'demo.json');
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    applicationName: 'switchboard-demo-data',
    onError: (error) => console.error(error.message),
  });
  try {
    const kept = await readDemoFile(path);
    const isInThisDatabase =
      kept !== null && (await createWorkspaceStore(database).find(kept.workspace_id)) !== null;
    const demo = isInThisDatabase ? kept : await createDemoData(database, config.SECRET_KEY);
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
    // Only the URLs depend on the current settings.
    const { baseUrl: base_url, simulatorUrl: simulator_url } = config;
    const provider_urls = await readProviderUrls(simulator_url);
    const urls = { base_url, simulator_url, ...(provider_urls !== null && { provider_urls }) };
    await writeDemoFile(path, { ...demo, ...urls });
    await configureDemoNumber(database, { ...demo, ...urls });
    console.log(
      isInThisDatabase ? 'The demo data already exists.' : `Created the demo data: ${path}`,
    );
  } finally {
    await database.close();
  }
});
