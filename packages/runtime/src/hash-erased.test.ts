import { expect, test } from 'vitest';
import { createHashErased } from './hash-erased.ts';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');

test('after a rotation, a hash by the older key is still among the hashes of a text', () => {
  const [before] = createHashErased(OLD)('w1 +14155550123');
  const after = createHashErased(`2:${NEW},1:${OLD}`)('w1 +14155550123');
  expect(after).toHaveLength(2);
  expect(after[0]).toMatch(/^erased:2:[\w-]{43}$/);
  expect(after[1]).toBe(before);
});

test('another key or another text has another hash', () => {
  const hashes = [OLD, NEW].flatMap((key) =>
    ['w1 +14155550123', 'w2 +14155550123', 'w1 +14155550124'].flatMap((text) =>
      createHashErased(key)(text).map((hash) => hash.split(':')[2]),
    ),
  );
  expect(new Set(hashes).size).toBe(6);
});
