/** Returns the error that `work` rejects with and the elapsed time. */
export async function rejectionOf(
  work: Promise<unknown>,
): Promise<{ error: unknown; afterMs: number }> {
  const began = performance.now();
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, afterMs: performance.now() - began };
}
