import { createAccountPace } from './account-pace.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type CallSlot,
  type SlotAccount,
  type SlotWorkspace,
  createCallSlots,
} from './call-slots.ts';

/** Creates slots with their own clock. Each workspace has one account, with `limit` calls at most. */
function createHarness({ concurrency, limit }: { concurrency: number; limit: number }) {
  let now = 0;
  const slots = createCallSlots<SlotAccount>(concurrency, () => now);
  const users = new Map<string, { workspace: SlotWorkspace; account: SlotAccount }>();
  const begun: string[] = [];
  const refused: string[] = [];

  /** Opens a slot for an item of this user, which is prepared after `prepareMs`. */
  async function prepare(name: string, prepareMs = 0): Promise<CallSlot> {
    const user = users.get(name) ?? {
      workspace: { open: 0, calls: 0, entered: 0 },
      account: {
        isShared: false,
        limit,
        open: 0,
        calls: 0,
        stalled: 0,
        pausedUntil: 0,
        pace: createAccountPace(() => now),
      },
    };
    users.set(name, user);
    const { workspace, account } = user;
    const slot = slots.open(
      workspace,
      () => account,
      account,
      () => undefined,
    );
    now += prepareMs;
    void slot.begin().then((turn) => (turn === 'call' ? begun : refused).push(name));
    await nextTurn();
    return slot;
  }

  return {
    slots,
    begun,
    refused,
    accountOf(name: string): SlotAccount {
      const user = users.get(name);
      if (user === undefined) throw new Error(`no item of ${name} was prepared`);
      return user.account;
    },
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

test('closed slots refuse prepared and later items, and calls in flight keep their slots', async () => {
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

test('a call that takes longer than a second frees its slot for others, and still counts for its account', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { prepare, begun } = createHarness({ concurrency: 1, limit: 1 });
  const first = await prepare('a');
  await prepare('a');
  await prepare('b');
  expect(begun).toEqual(['a']);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  vi.advanceTimersByTime(1_000);
  first.end();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'a']);
});

test('items that are prepared for an account are refused when it fails, and those of others are not', async () => {
  const { slots, prepare, accountOf, begun, refused } = createHarness({ concurrency: 1, limit: 1 });
  await prepare('a');
  await prepare('b');
  await prepare('c');
  slots.refuse(accountOf('b'));
  await nextTurn();
  expect({ begun, refused }).toEqual({ begun: ['a'], refused: ['b'] });
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
