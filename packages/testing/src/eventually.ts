/**
 * Options for `vi.waitFor` and `expect.poll` in a test that checks what happens, not how soon. A
 * busy machine may be slow; the benchmark measures the speed of the service.
 */
export const EVENTUALLY = { timeout: 60_000 } as const;
