/** The backend gave no answer in time; whether it did what it was asked is unknown. */
export class QueueTimeoutError extends Error {
  override readonly name = 'QueueTimeoutError';
  readonly code = 'queue_timeout';
}

/**
 * BullMQ and its drivers wait for ever in several states of their backends, so every call made on
 * them passes through here. What comes too late is dropped, a rejection included.
 */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new QueueTimeoutError(`${what}: no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
