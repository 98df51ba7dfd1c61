import { expect, test } from 'vitest';
import { hintsOf, toJob } from './dispatch-job.ts';

const [first, second, third] = ['first', 'second', 'third'].map((messageId) => ({
  messageId,
  workspaceId: 'workspace',
  requestId: null,
})) as [never, never, never];

test('the hints of a job are read back in the same order', () => {
  expect(hintsOf(toJob([first, second, third], 1).data)).toEqual([first, second, third]);
});

test('workers of this release and of the previous one read the hints of each other’s jobs', () => {
  expect(toJob([first, second], 1).data).toMatchObject(first);
  expect(toJob([first], 1).data).toEqual(first);
  expect(hintsOf(first)).toEqual([first]);
});
