import { expect, test } from 'vitest';
import { createDeliverySlots } from './delivery-slots.ts';

const target = (ownerId: string, workspace: number, endpoint: number) => ({
  ownerId,
  workspaceId: `${ownerId}-w${workspace}`,
  id: `${ownerId}-w${workspace}-e${endpoint}`,
});

/** Takes a slot without waiting; null if there is none. */
const take = (slots: ReturnType<typeof createDeliverySlots>, of: ReturnType<typeof target>) =>
  slots.take(of, 0);

test('one endpoint gets 16 of 1,000 slots, one workspace 63 and one owner 250, and every other owner still gets some', async () => {
  const slots = createDeliverySlots(1_000);
  const takeAll = async (owner: string, workspaces: number, endpoints: number) => {
    let taken = 0;
    for (let w = 0; w < workspaces; w += 1) {
      for (let e = 0; e < endpoints; e += 1) {
        while ((await take(slots, target(owner, w, e))) !== null) taken += 1;
      }
    }
    return taken;
  };
  expect(await takeAll('a', 1, 1)).toBe(16);
  expect(await takeAll('a', 1, 50)).toBe(63 - 16);
  expect(await takeAll('a', 100, 50)).toBe(250 - 63);
  expect(await takeAll('b', 1, 1)).toBeGreaterThan(8);
  for (let owner = 0; owner < 40; owner += 1) {
    expect(await takeAll(`other${owner}`, 1, 1)).toBeGreaterThan(0);
  }
});

test('a freed slot goes to a delivery that waits, and one that waits too long gets none', async () => {
  const slots = createDeliverySlots(4);
  const free = await take(slots, target('a', 0, 0));
  const second = slots.take(target('a', 0, 1), performance.now() + 60_000);
  expect(await slots.take(target('a', 0, 2), performance.now() + 20)).toBeNull();
  free?.();
  free?.();
  const freeSecond = await second;
  expect(freeSecond).not.toBeNull();
  expect(await take(slots, target('a', 0, 3))).toBeNull();
  freeSecond?.();
  expect(await take(slots, target('a', 0, 3))).not.toBeNull();
});
