import { expect, test } from 'vitest';
import { countOutcomes, deliveryRate } from './count-outcomes.ts';

const outcomes = countOutcomes([
  { direction: 'outbound', status: 'delivered', count: 6 },
  { direction: 'outbound', status: 'read', count: 3 },
  { direction: 'outbound', status: 'undelivered', count: 1 },
  { direction: 'outbound', status: 'sent', count: 5 },
  { direction: 'outbound', status: 'canceled', count: 7 },
  { direction: 'outbound', status: 'scheduled', count: 4 },
  { direction: 'inbound', status: 'received', count: 2 },
]);

test('canceled and scheduled messages do not count as sent, and read ones count as delivered', () => {
  expect(outcomes).toEqual({
    sent: 15,
    delivered: 9,
    failed: 1,
    inProgress: 5,
    received: 2,
    scheduled: 4,
  });
});

test('the delivery rate covers only messages with a final status', () => {
  expect(deliveryRate(outcomes)).toBe(0.9);
  expect(deliveryRate({ ...outcomes, delivered: 0, failed: 0 })).toBeNull();
});
