// npm run demo-data: a user, workspace, API key, number and simulator-backed provider to try things
// with, and `demo.json`, which holds their secrets. Made once; later runs keep them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase, createWorkspaceStore } from '@switchboard/database';
import { readDemoDataConfig } from './config.ts';
import { createDemoData } from './demo-data/create-demo-data.ts';
import { readDemoFile, writeDemoFile } from './demo-data/demo-file.ts';
import { wireDemoNumber } from './demo-data/wire-demo-number.ts';
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
    const isOfThisDatabase =
      kept !== null && (await createWorkspaceStore(database).find(kept.workspace_id)) !== null;
    const demo = isOfThisDatabase ? kept : await createDemoData(database, config.SECRET_KEY);
    await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
    // The addresses follow the settings; everything else stays what it was.
    const { baseUrl: base_url, simulatorUrl: simulator_url } = config;
    await writeDemoFile(path, { ...demo, base_url, simulator_url });
    await wireDemoNumber(database, { ...demo, base_url, simulator_url });
    console.log(isOfThisDatabase ? 'The demo data is there.' : `The demo data is made: ${path}`);
  } finally {
    await database.close();
  }
});
