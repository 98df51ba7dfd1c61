import { hashToken } from '@switchboard/credentials';
import { expect, test } from 'vitest';
import { createKnownKeys } from './known-keys.ts';

const keyNamed = (id: string) => ({ id, workspaceId: `workspace of ${id}`, useStaleInMs: 20_000 });

test('as many keys are kept as may be, and the one that was used longest ago goes first', () => {
  const keys = createKnownKeys({ maxSize: 2, now: () => 0 });
  for (const id of ['a', 'b']) keys.remember(hashToken(id), keyNamed(id));
  keys.find(hashToken('a'));
  keys.remember(hashToken('c'), keyNamed('c'));
  const kept = ['a', 'b', 'c'].map((id) => keys.find(hashToken(id))?.id ?? null);
  expect(kept).toEqual(['a', null, 'c']);
});

test('a key that is forgotten is not known, and one that is remembered is noted when its last use is stale', () => {
  const keys = createKnownKeys({ maxSize: 2, now: () => 1_000 });
  keys.remember(hashToken('a'), keyNamed('a'));
  expect(keys.find(hashToken('a'))).toEqual({
    id: 'a',
    workspaceId: 'workspace of a',
    noteUseAt: 21_000,
  });
  keys.forget(hashToken('a'));
  expect(keys.find(hashToken('a'))).toBeNull();
});
