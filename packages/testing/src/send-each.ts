/** Fewer than a slow process answers before its own timeouts, beyond which it rightly responds with 503. */
const AT_ONCE = 12;

/** Calls `run` for each item, at most `atOnce` at a time. Returns the results in the order of the items. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  run: (item: Item, index: number) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  let failure: { error: unknown } | undefined;

  async function runNext(): Promise<void> {
    // All runners share one iterator.
    for (const [index, item] of rest) {
      try {
        results[index] = await run(item, index);
      } catch (error) {
        failure ??= { error };
      }
      if (failure !== undefined) return;
    }
  }

  await Promise.all(Array.from({ length: atOnce }, runNext));
  if (failure !== undefined) throw failure.error;
  return results;
}

/**
 * Sends a request for each item, a few at a time, and returns the responses in the order of the items. Throws
 * an error for the first response without the expected status, before a test reads its content.
 */
export async function sendEach<Item, Response extends { status: number; text?: unknown }>(
  items: readonly Item[],
  send: (item: Item, index: number) => Promise<Response>,
  options: {
    /** Several, if the server decides. */
    status: number | readonly number[] | ((item: Item) => number);
    atOnce?: number;
  },
): Promise<Response[]> {
  const { status } = options;
  async function sendOne(item: Item, index: number): Promise<Response> {
    const response = await send(item, index);
    const expected = [typeof status === 'function' ? status(item) : status].flat();
    if (expected.includes(response.status)) return response;
    const text = typeof response.text === 'string' ? `: ${response.text}` : '';
    throw new Error(
      `Request ${index + 1} of ${items.length} has the status ${response.status}, not ${expected.join(' or ')}${text}`,
    );
  }
  return mapBounded(items, sendOne, options.atOnce);
}

/** Returns the numbers from 0 to `count - 1`, for requests that differ only in their number. */
export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
