/**
 * What `work` comes to, or an error when it has not come to anything in time: drivers and libraries
 * wait for ever in several states of their backends. What comes too late is dropped, a rejection
 * included; whether it was done after all is unknown.
 */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
