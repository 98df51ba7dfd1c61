// npm run build: installs the packages if needed, generates the Prisma client and compiles what a server runs; with
// `--proofs` also `bench` and `chaos`. npm runs it with `--no-install` as the last step of an installation.
import { prepareCheckout } from './prepare-checkout.mjs';

const has = (option) => process.argv.includes(option);
await prepareCheckout({ install: !has('--no-install'), compile: true, proofs: has('--proofs') });
