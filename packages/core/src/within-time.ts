/**
 * Returns the result of `work`, or throws after a timeout, because drivers and libraries wait forever
 * in some states of their backends. A later result or rejection is dropped, and `work` may still take
 * effect.
 */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: no response within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
