import { expect, test } from 'vitest';
import { type DraftStorage, createDraftStore } from './draft-store.ts';

const KEY = 'switchboard.drafts';

function createStorage(): DraftStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

test('the drafts of a user are kept for the same user and deleted for any other one', () => {
  const storage = createStorage();
  const drafts = createDraftStore(storage);
  drafts.open('ada');
  drafts.write('reply', 'Private');
  drafts.open('ada');
  expect(drafts.read('reply')).toBe('Private');
  // After a reload, too.
  const reloaded = createDraftStore(storage);
  reloaded.open('ada');
  expect(reloaded.read('reply')).toBe('Private');
  reloaded.open('grace');
  expect(reloaded.read('reply')).toBeNull();
  expect(storage.getItem(KEY)).toBeNull();
});

test('a reply that fails after its user has signed out does not become a draft of the next user', () => {
  const storage = createStorage();
  const drafts = createDraftStore(storage);
  drafts.open('ada');
  drafts.clear();
  drafts.write('reply', 'Failed');
  drafts.open('grace');
  expect(drafts.read('reply')).toBeNull();
});
