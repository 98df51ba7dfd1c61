import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FairSlots, type SlotPath, createFairSlots } from './fair-slots.ts';

/** Waits for slots that the test frees, and records the order in which they were given. */
function startWork(slots: FairSlots) {
  const started: { user: string; finish(): void }[] = [];
  return {
    started,
    add(user: string, count: number): void {
      for (let index = 0; index < count; index += 1) {
        void slots.take([user]).then((free) => started.push({ user, finish: () => free?.() }));
      }
    },
    users: () => started.map(({ user }) => user).join(''),
  };
}

/** Takes slots without waiting until there is none, and returns their number. */
async function takeAll(slots: FairSlots, path: SlotPath): Promise<number> {
  let taken = 0;
  while ((await slots.take(path, 0)) !== null) taken += 1;
  return taken;
}

test('one user leaves slots to other users, whatever waits', async () => {
  const work = startWork(createFairSlots({ slots: 4, part: 3 / 4 }));
  work.add('a', 100);
  work.add('b', 100);
  await nextTurn();
  expect(work.users()).toBe('aaab');
});

test('users take turns, so a backlog delays the work of another user by one turn', async () => {
  const work = startWork(createFairSlots({ slots: 1, part: 3 / 4 }));
  work.add('a', 50);
  await nextTurn();
  work.add('b', 2);
  for (let count = 0; count < 6; count += 1) {
    work.started[count]?.finish();
    await nextTurn();
  }
  expect(work.users()).toBe('aababaa');
});

test('every waiting user gets a slot, and the slots in use never exceed the limit', async () => {
  const slots = createFairSlots({ slots: 5, part: 3 / 4 });
  let most = 0;
  let now = 0;
  await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const free = await slots.take([`user ${index % 7}`]);
      expect(free).not.toBeNull();
      now += 1;
      most = Math.max(most, now);
      await nextTurn();
      now -= 1;
      free?.();
    }),
  );
  expect(most).toBe(5);
});

test('with a quarter of 1,000 slots, one endpoint gets 16, one workspace 63 and one owner 250, and every other owner still gets some', async () => {
  const slots = createFairSlots({ slots: 1_000, part: 1 / 4 });
  const takeEach = async (owner: string, workspaces: number, endpoints: number) => {
    let taken = 0;
    for (let w = 0; w < workspaces; w += 1) {
      for (let e = 0; e < endpoints; e += 1) {
        taken += await takeAll(slots, [owner, `w${w}`, `e${e}`]);
      }
    }
    return taken;
  };
  expect(await takeEach('a', 1, 1)).toBe(16);
  expect(await takeEach('a', 1, 50)).toBe(63 - 16);
  expect(await takeEach('a', 100, 50)).toBe(250 - 63);
  expect(await takeEach('b', 1, 1)).toBeGreaterThan(8);
  for (let owner = 0; owner < 40; owner += 1) {
    expect(await takeEach(`other${owner}`, 1, 1)).toBeGreaterThan(0);
  }
});

test('a freed slot goes to work that waits, and work that waits too long gets none', async () => {
  const slots = createFairSlots({ slots: 4, part: 1 / 4 });
  const path = (endpoint: number) => ['a', 'w', `e${endpoint}`];
  const free = await slots.take(path(0), 0);
  const second = slots.take(path(1), performance.now() + 60_000);
  expect(await slots.take(path(2), performance.now() + 20)).toBeNull();
  free?.();
  free?.();
  const freeSecond = await second;
  expect(freeSecond).not.toBeNull();
  expect(await slots.take(path(3), 0)).toBeNull();
  freeSecond?.();
  expect(await slots.take(path(3), 0)).not.toBeNull();
});
