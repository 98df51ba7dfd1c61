import { runStandalone } from './run-standalone.ts';

process.exit(await runStandalone());
