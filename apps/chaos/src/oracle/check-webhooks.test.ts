import { describe, expect, test } from 'vitest';
import { type CheckedEndpoint, type StoredEndpoint, checkWebhooks } from './check-webhooks.ts';

const EVENTS = ['a', 'b', 'c'].map((id) => ({ id, workspaceId: 'W' }));
const DELIVERIES = EVENTS.map(({ id }, index) => ({
  id,
  sequence: index + 1,
  type: 'message.created',
  acknowledged: true,
  at: 1_000,
}));
const ENDPOINT: CheckedEndpoint = {
  id: 'E',
  workspaceId: 'W',
  fate: 'stays',
  deletedMs: null,
  receiver: { deliveries: DELIVERIES, forged: [] },
};
const ROW: StoredEndpoint = {
  id: 'E',
  enabled: true,
  disabledReason: null,
  updatedMs: 0,
  sequences: [1, 2, 3],
};
const DISABLED = { ...ROW, enabled: false, disabledReason: 'gone' };

/** Returns the number of violations. */
function judge(
  deliveries = DELIVERIES,
  endpoint: Partial<CheckedEndpoint> = {},
  row: StoredEndpoint | null = ROW,
): number {
  const checked = { ...ENDPOINT, receiver: { deliveries, forged: [] }, ...endpoint };
  return checkWebhooks([checked], row === null ? [] : [row], EVENTS).length;
}

const [A, B, C] = DELIVERIES as [Delivery, Delivery, Delivery];
type Delivery = (typeof DELIVERIES)[number];

describe('workspace webhooks', () => {
  test('events that are acknowledged once with their own numbers, in any order, are not a violation', () => {
    expect(judge()).toBe(0);
    expect(judge([C, { ...A, acknowledged: false }, B, A, A])).toBe(0);
  });

  test('an event that was never acknowledged is a violation', () => {
    expect(judge([A, { ...B, acknowledged: false }, C])).toBe(2);
  });

  test('a gap in the numbers is a violation, except at the start of a new epoch', () => {
    const moved = { ...C, sequence: 4 };
    expect(judge([A, B, moved], {}, { ...ROW, sequences: [1, 2, 4] })).toBe(1);
    const restored = { ...C, sequence: 1_000_001 };
    expect(judge([A, B, restored], {}, { ...ROW, sequences: [1, 2, 1_000_001] })).toBe(0);
  });

  test('a number that two events share, and an event with two numbers, are violations', () => {
    expect(judge([A, B, C, { ...A, id: 'x' }])).toBe(1);
    expect(judge([A, B, C, { ...A, sequence: 9 }])).toBe(1);
  });

  test('a delivery without a valid signature is a violation', () => {
    expect(judge(DELIVERIES, { receiver: { deliveries: DELIVERIES, forged: ['body'] } })).toBe(1);
  });

  test('a delivery long after the deletion of its endpoint is a violation', () => {
    expect(judge(DELIVERIES, { fate: 'deleted', deletedMs: 500 }, null)).toBe(0);
    const late = [{ ...A, at: 20_000 }];
    expect(judge(late, { fate: 'deleted', deletedMs: 500 }, null)).toBe(1);
    expect(judge(late, { fate: 'gone' }, DISABLED)).toBe(1);
  });

  test('an endpoint that responded with 410 and is not disabled is a violation', () => {
    expect(judge(DELIVERIES, { fate: 'gone' }, DISABLED)).toBe(0);
    expect(judge(DELIVERIES, { fate: 'gone' })).toBe(1);
  });
});
