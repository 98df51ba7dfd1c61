import { defineConfig } from 'vitest/config';
import { SHARED } from './vitest.config.ts';

/** Screenshots of the dashboard for the documentation: `npm run screenshots`. */
export default defineConfig({
  ...SHARED,
  test: { ...SHARED.test, include: ['apps/dashboard/screenshots/*.ts'] },
});
