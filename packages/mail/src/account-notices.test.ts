import { expect, test } from 'vitest';
import { NOTICES } from './account-notices.ts';

test('the mails about single sign-on give advice that also helps users without a password', () => {
  expect([NOTICES.identity_connected[2], NOTICES.identity_disconnected[2]]).toEqual([
    expect.stringMatching(/operator.*Where the sign-in page has “Forgot your password\?”/),
    expect.stringMatching(/if you have one.*operator/),
  ]);
});
