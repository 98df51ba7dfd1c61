import { expect, test } from 'vitest';
import { hintsOf, toJob } from './dispatch-job.ts';

const [first, second, third] = ['first', 'second', 'third'].map((messageId) => ({
  messageId,
  workspaceId: 'workspace',
  requestId: null,
})) as [never, never, never];

test('a job gives back its hints, in their order', () => {
  expect(hintsOf(toJob([first, second, third], 1).data)).toEqual([first, second, third]);
});

test('a worker of the release before finds its one hint, as the newer one finds that of an older job', () => {
  expect(toJob([first, second], 1).data).toMatchObject(first);
  expect(toJob([first], 1).data).toEqual(first);
  expect(hintsOf(first)).toEqual([first]);
});
