import { describe, expect, test, vi } from 'vitest';
import { createReadinessProbe } from './probe-readiness.ts';

describe('createReadinessProbe', () => {
  test('the readiness probe returns the result of a check that ends in time', async () => {
    const check = vi
      .fn<() => Promise<boolean>>()
      .mockResolvedValueOnce(true)
      .mockResolvedValue(false);
    const isReady = createReadinessProbe(check);
    expect(await isReady()).toBe(true);
    expect(await isReady()).toBe(false);
  });

  test('while a readiness check hangs, the previous result counts until the limit, and no second check starts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      let respond = (_isReady: boolean): void => undefined;
      const hanging = new Promise<boolean>((resolve) => {
        respond = resolve;
      });
      const check = vi
        .fn<() => Promise<boolean>>()
        .mockResolvedValueOnce(true)
        .mockReturnValueOnce(hanging)
        .mockResolvedValue(true);
      const isReady = createReadinessProbe(check, { waitMs: 200, limitMs: 5_000 });
      expect(await isReady()).toBe(true);
      const responses: boolean[] = [];
      for (let scrapes = 0; scrapes < 3; scrapes += 1) {
        const probed = isReady();
        await vi.advanceTimersByTimeAsync(2_500);
        responses.push(await probed);
      }
      expect(responses).toEqual([true, true, false]);
      expect(check).toHaveBeenCalledTimes(2);
      respond(true);
      await hanging;
      expect(await isReady()).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
