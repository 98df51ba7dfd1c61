import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryIdOf, sequenceOfDelivery } from './delivery-id.ts';

const ENDPOINT = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';

test('the id of a delivery is a UUID that contains its sequence', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 48 - 1 }), (sequence) => {
      const id = deliveryIdOf(ENDPOINT, sequence);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(sequenceOfDelivery(ENDPOINT, id)).toBe(sequence);
    }),
  );
});

test('the id of a delivery belongs to no other endpoint', () => {
  const other = '01a1f7b3-89b6-7000-bd3d-4fb81d1bee37';
  expect(sequenceOfDelivery(other, deliveryIdOf(ENDPOINT, 5))).toBeNull();
  expect(sequenceOfDelivery(ENDPOINT, ENDPOINT)).toBeNull();
});
