import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairSlots } from './fair-slots.ts';

interface Work {
  user: string;
  finish(): void;
}

/** Starts work that ends when the test says so, and records its order. */
function startWork(run: ReturnType<typeof createFairSlots>) {
  const started: Work[] = [];
  const done: string[] = [];
  return {
    started,
    done,
    add(user: string, count: number): void {
      for (let index = 0; index < count; index += 1) {
        void run(
          user,
          () => new Promise<void>((resolve) => started.push({ user, finish: resolve })),
        ).then(() => done.push(user));
      }
    },
    users: () => started.map(({ user }) => user).join(''),
  };
}

test('work of one user takes its own slots, and leaves the others to other users', async () => {
  const work = startWork(createFairSlots({ each: 2, inAll: 3 }));
  work.add('a', 100);
  work.add('b', 100);
  await nextTurn();
  expect(work.users()).toBe('aab');
});

test('users take turns, so a backlog delays the work of another user by one turn', async () => {
  const work = startWork(createFairSlots({ each: 1, inAll: 1 }));
  work.add('a', 50);
  await nextTurn();
  work.add('b', 2);
  for (let count = 0; count < 6; count += 1) {
    work.started[count]?.finish();
    await nextTurn();
  }
  expect(work.users()).toBe('aababaa');
});

test('all work is done, and failed work frees its slot', async () => {
  const run = createFairSlots({ each: 3, inAll: 5 });
  let most = 0;
  let now = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, (_, index) =>
      run(`user ${index % 7}`, async () => {
        now += 1;
        most = Math.max(most, now);
        await nextTurn();
        now -= 1;
        if (index % 3 === 0) throw new Error('failed');
        return index;
      }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(333);
  expect(most).toBe(5);
});
