import type { BusNotice } from '@switchboard/core';
import { expect, test } from 'vitest';
import { createNoticeSender } from './notice-sender.ts';

const notice = (seq: number): BusNotice => ({
  kind: 'message',
  workspaceId: 'w',
  messageId: 'm',
  seq,
});

test('what is told in one turn goes out in one call and in order, and nothing is left when all is said to be sent', async () => {
  const calls: (readonly BusNotice[])[] = [];
  let arrived = 0;
  const { publish, sent } = createNoticeSender(
    {
      async publish(notices) {
        calls.push(notices);
        await new Promise((resolve) => setTimeout(resolve, 5));
        arrived += notices.length;
      },
    },
    () => undefined,
  );
  publish(notice(1));
  publish(notice(2));
  await new Promise((resolve) => setImmediate(resolve));
  publish(notice(3));
  await sent();
  expect(calls).toEqual([[notice(1), notice(2)], [notice(3)]]);
  expect(arrived).toBe(3);
});

test('a bus that refuses is told of, and the next notices go out', async () => {
  const errors: unknown[] = [];
  let failures = 1;
  const { publish, sent } = createNoticeSender(
    {
      async publish() {
        if (failures-- > 0) throw new Error('away');
      },
    },
    (error) => errors.push(error),
  );
  publish(notice(1));
  await sent();
  publish(notice(2));
  await sent();
  expect(errors).toEqual([new Error('away')]);
});
