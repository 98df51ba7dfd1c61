import { runStandalone } from './run-standalone.ts';

await runStandalone().then((code) => process.exit(code));
