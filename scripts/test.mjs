// npm test: installs and compiles as far as needed, and runs Vitest in this process.
import { prepareCheckout } from './prepare-checkout.mjs';

await prepareCheckout({ compile: true, proofs: true });
// Before Vitest starts, because it creates a temporary folder of its own.
const { openRun } = await import('../packages/testing/dist/run/open-run.js');
openRun();
process.argv.splice(2, 0, 'run');
await import('../node_modules/vitest/vitest.mjs');
