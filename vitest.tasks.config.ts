import { defineConfig } from 'vitest/config';
import { SHARED } from './vitest.config.ts';

/** Performs the tasks of docs/tasks.md in a browser, and writes the page: `npm run tasks`. */
export default defineConfig({
  ...SHARED,
  test: { ...SHARED.test, include: ['apps/dashboard/tasks/measure-tasks.ts'] },
});
