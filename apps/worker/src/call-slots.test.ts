import { expect, test } from 'vitest';
import { type CallSlot, createCallSlots } from './call-slots.ts';

/** Creates slots with their own clock. Each user may hold `limit` of them. */
function createHarness({ concurrency, limit }: { concurrency: number; limit: number }) {
  let now = 0;
  const slots = createCallSlots(concurrency, () => now);
  const users = new Map<string, { limit: number; calls: number }>();
  const begun: string[] = [];
  const refused: string[] = [];

  /** Opens a slot for an item of this user, which is prepared after `prepareMs`. */
  async function prepare(name: string, prepareMs = 0): Promise<CallSlot> {
    const user = users.get(name) ?? { limit, calls: 0 };
    users.set(name, user);
    const slot = slots.open(user, () => undefined);
    now += prepareMs;
    void slot.begin().then((mayCall) => (mayCall ? begun : refused).push(name));
    await nextTurn();
    return slot;
  }

  return {
    slots,
    begun,
    refused,
    prepare,
    async call(prepareMs: number, callMs: number): Promise<void> {
      const slot = await prepare('any', prepareMs);
      now += callMs;
      slot.end();
    },
  };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('at most one call per slot is in flight, and prepared items start in the order of their preparation', async () => {
  const { prepare, begun } = createHarness({ concurrency: 2, limit: 2 });
  const first = await prepare('a');
  await prepare('b');
  await prepare('c');
  await prepare('d');
  expect(begun).toEqual(['a', 'b']);
  first.end();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('a free slot goes to another user if the next prepared item would exceed the limit of its user', async () => {
  const { prepare, begun } = createHarness({ concurrency: 3, limit: 1 });
  const first = await prepare('a');
  await prepare('a');
  await prepare('b');
  expect(begun).toEqual(['a', 'b']);
  first.end();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'a']);
});

test('a slot that is ended twice is freed once', async () => {
  const { prepare, begun } = createHarness({ concurrency: 1, limit: 9 });
  const first = await prepare('a');
  first.end();
  first.end();
  await prepare('b');
  await prepare('c');
  expect(begun).toEqual(['a', 'b']);
});

test('closed slots refuse items that are prepared or will be, and calls in flight keep theirs', async () => {
  const { slots, prepare, begun, refused } = createHarness({ concurrency: 1, limit: 1 });
  const first = await prepare('a');
  await prepare('b');
  slots.close();
  await nextTurn();
  expect(refused).toEqual(['b']);
  await prepare('c');
  first.end();
  await nextTurn();
  expect({ begun, refused }).toEqual({ begun: ['a'], refused: ['b', 'c'] });
});

test.each([
  ['for every slot in advance, if calls are shorter than their preparation', 20, 5, 1],
  [
    'for a tenth of the slots in advance, if calls take ten times as long as their preparation',
    20,
    200,
    0.1,
  ],
])('items are prepared %s', async (_what, prepareMs, callMs, lead) => {
  const { slots, call } = createHarness({ concurrency: 1, limit: 1 });
  expect(slots.measureLead()).toBe(0);
  for (let i = 0; i < 3; i += 1) await call(prepareMs, callMs);
  expect(slots.measureLead()).toBeCloseTo(lead);
});
