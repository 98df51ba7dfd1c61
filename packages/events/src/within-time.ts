/** The bus gave no answer in time; whether the notices went out is unknown. */
export class BusTimeoutError extends Error {
  override readonly name = 'BusTimeoutError';
  readonly code = 'bus_timeout';
}

/** What comes too late is dropped, a rejection included. */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new BusTimeoutError(`${what}: no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
