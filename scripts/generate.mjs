// npm run generate: installs the packages if needed, and generates the Prisma client.
import { prepareCheckout } from './prepare-checkout.mjs';

await prepareCheckout();
