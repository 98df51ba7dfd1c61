import { defineConfig, mergeConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** Pictures of the dashboard for the documentation: `npm run screenshots`. */
const { include: _tests, ...test } = shared.test ?? {};

export default mergeConfig(
  { ...shared, test },
  defineConfig({ test: { include: ['apps/dashboard/screenshots/*.ts'] } }),
);
