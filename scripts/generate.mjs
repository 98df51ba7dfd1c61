// npm run generate: installs all packages if needed, those of tests and checks too, and generates the Prisma client.
import { prepareCheckout } from './prepare-checkout.mjs';

await prepareCheckout({ proofs: true });
