import { vi } from 'vitest';

// Runs in every test file. `expect.poll` has its default in the configuration; `vi.waitFor` has
// none there, and gives up after a second, which a busy machine takes for a single start.

/** How soon something comes is no test's business unless it says so itself. */
const PATIENCE_MS = 20_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: PATIENCE_MS,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
