// npm run build: installs the packages if needed, generates the Prisma client and compiles everything. npm runs it
// with `--no-install` as the last step of an installation.
import { prepareCheckout } from './prepare-checkout.mjs';

await prepareCheckout({ install: !process.argv.includes('--no-install'), compile: true });
