import { expect, test, vi } from 'vitest';
import { HashQueueFullError, type HashPriority, runInHashQueue } from './hash-queue.ts';

/** Creates work that ends when `endAll` is called. */
function createWork(order: string[]) {
  const ends: (() => void)[] = [];
  const begin = (name: string, priority: HashPriority) =>
    runInHashQueue(priority, () => {
      order.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  async function endAll(): Promise<void> {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { begin, endAll };
}

test('logins that wait for a hash run before sign-ups that arrived earlier', async () => {
  const order: string[] = [];
  const { begin, endAll } = createWork(order);
  const all = [
    begin('first', 'sign_up'),
    begin('second', 'sign_up'),
    begin('early sign-up', 'sign_up'),
    begin('login', 'login'),
    begin('late sign-up', 'sign_up'),
    begin('late login', 'login'),
  ];
  await endAll();
  await Promise.all(all);
  expect(order).toEqual([
    'first',
    'second',
    'login',
    'late login',
    'early sign-up',
    'late sign-up',
  ]);
});

test('20 sign-ups and 200 logins may wait for a hash, and further ones are refused', async () => {
  const { begin, endAll } = createWork([]);
  const running = [begin('a', 'login'), begin('b', 'login')];
  const signUps = Array.from({ length: 20 }, () => begin('sign-up', 'sign_up'));
  await expect(begin('one too many', 'sign_up')).rejects.toThrow(HashQueueFullError);
  const logins = Array.from({ length: 200 }, () => begin('login', 'login'));
  await expect(begin('one too many', 'login')).rejects.toThrow(HashQueueFullError);
  await endAll();
  await Promise.all([...running, ...signUps, ...logins]);
});

test('a request that has waited 10 seconds for a hash is refused and frees its place', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { begin, endAll } = createWork([]);
    const running = [begin('a', 'login'), begin('b', 'login')];
    const late = begin('late', 'sign_up');
    vi.advanceTimersByTime(10_000);
    await expect(late).rejects.toThrow(HashQueueFullError);
    await endAll();
    await Promise.all(running);
  } finally {
    vi.useRealTimers();
  }
});
