/**
 * Options for `vi.waitFor` and `expect.poll` in a test that checks what happens, not how soon. A
 * busy machine may be slow; the benchmark measures the speed of the service. The same limit applies to
 * the starts and stops of processes, and to statements.
 */
export const EVENTUALLY = { timeout: 120_000 } as const;
