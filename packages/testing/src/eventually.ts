/**
 * Options for `vi.waitFor` and `expect.poll` in a test that states what happens, not how soon. A busy
 * machine may take long for anything; the speed of the service is measured by the benchmark.
 */
export const EVENTUALLY = { timeout: 20_000 } as const;
