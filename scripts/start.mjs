// npm start: installs and compiles as far as needed, and runs the service in this process.
import { prepareCheckout } from './prepare-checkout.mjs';

await prepareCheckout({ compile: true });
await import('../dist/standalone.js');
