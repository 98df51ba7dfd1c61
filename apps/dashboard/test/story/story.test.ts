import { expect, test } from 'vitest';
import { opened, useDashboard } from '../use-dashboard.ts';
import { describeMessages } from './messages.suite.ts';
import { describeConnectionAndAccess } from './connection-and-access.suite.ts';

useDashboard({ isSignedOut: true });

// One story: each suite starts where the previous one ended.
describeMessages();
describeConnectionAndAccess();

test('no page logs an error or a violation of its security policy during the story', () => {
  expect(opened.errors).toEqual([]);
});
