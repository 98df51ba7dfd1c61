import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../../vitest.config.ts';

/** `npm run screenshots`: no test, but it needs all that tests need. */
const { include: _tests, ...test } = shared.test ?? {};

export default mergeConfig(
  { ...shared, test },
  defineConfig({ test: { include: ['apps/dashboard/screenshots/*.ts'], exclude: ['**/*.config.ts'] } }),
);
