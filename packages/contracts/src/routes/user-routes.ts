import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { CLOSE_ACCOUNT_DETAILS, closeAccountRequest, parseCloseAccount } from '../close-account.ts';
import { me } from '../me.ts';
import { pagingQuery } from '../query.ts';
import {
  changeEmailRequest,
  changePasswordRequest,
  logInRequest,
  requestMailRequest,
  resetPasswordRequest,
  sessionResponse,
  sessionList,
  signUpRequest,
} from '../session.ts';
import { signUpState } from '../sign-up-state.ts';
import { defineRoute } from './define-route.ts';
import { DETAILS } from './details.ts';
import { ok } from './ok.ts';

const tag = 'Users and sessions';
const unknownLink = 'The link is unknown, used, expired or replaced by a newer one';
const { passwordsOff } = DETAILS;
export const tooManyFailures = 'Too many failed attempts; try again later';

export const userRoutes = {
  getSignUpState: defineRoute({
    method: 'GET',
    paths: { none: '/api/ui/users' },
    tag,
    summary: 'Check whether sign-up is open',
    description: 'A person with an invitation can sign up even where sign-up is closed.',
    response: { status: 200, schema: signUpState },
  }),

  signUp: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/users' },
    tag,
    summary: 'Sign up',
    description:
      'Open while no user exists, with an invitation, or where the operator set `ALLOW_SIGNUP`.',
    body: signUpRequest,
    response: { status: 201, schema: sessionResponse },
    errors: {
      forbidden: 'Insufficient permissions for the resource: sign-up is closed',
      already_exists:
        '`email` already belongs to a user. With an invitation, sign in, or sign up with another address of yours',
      quota_exceeded: quotaExceeded(QUOTAS.membersPerWorkspace, 'members per workspace').message,
      rate_limited: tooManyFailures,
    },
  }),

  logIn: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/sessions' },
    tag,
    summary: 'Log in',
    description:
      'An IP address is allowed 10 failures for one account, and 50 failures in total, in 15 minutes. ' +
      'A user has at most 100 sessions: another login ends the session that has been ' +
      'unused the longest. If the user has a second factor, the right password alone is refused with the `detail` ' +
      '`Second factor required`: repeat the request with `totp_code` or `recovery_code`. After the right password, an IP address is ' +
      'allowed 10 wrong codes for one account in 15 minutes, and an account 50 wrong `totp_code` in a day.',
    body: logInRequest,
    response: { status: 201, schema: sessionResponse },
    errors: {
      unauthorized: 'Wrong email or password',
      forbidden: passwordsOff,
      rate_limited: tooManyFailures,
    },
  }),

  logOut: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/sessions/current' },
    tag,
    summary: 'Log out',
    description: 'Ends the session and closes its WebSockets.',
    response: { status: 200, schema: ok },
  }),

  listSessions: defineRoute({
    method: 'GET',
    paths: { session: '/api/ui/sessions' },
    tag,
    summary: 'List your sessions',
    query: pagingQuery,
    response: { status: 200, schema: sessionList },
  }),

  endOtherSessions: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/sessions' },
    tag,
    summary: 'End all your other sessions',
    description:
      'Ends the sessions and closes their WebSockets. The session of the request stays valid.',
    response: { status: 200, schema: ok },
  }),

  endSession: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/sessions/{sessionId}' },
    tag,
    summary: 'End one of your sessions',
    description: 'Ends the session and closes its WebSockets.',
    response: { status: 200, schema: ok },
    errors: { not_found: 'You have no such session' },
  }),

  getMe: defineRoute({
    method: 'GET',
    paths: { session: '/api/ui/me' },
    tag,
    summary: 'Get the signed-in user and their workspaces',
    response: { status: 200, schema: me },
  }),

  changePassword: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/me/password' },
    tag,
    summary: 'Change your password',
    description: 'Ends your other sessions. One session allows 10 wrong passwords in 15 minutes.',
    body: changePasswordRequest,
    response: { status: 200, schema: ok },
    errors: {
      // Not `unauthorized`: the session is valid and stays valid.
      invalid_params: '`current_password` must be the current password',
      forbidden: passwordsOff,
      rate_limited: tooManyFailures,
    },
  }),

  requestPasswordReset: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/password-resets' },
    tag,
    summary: 'Request a link to reset a password',
    description:
      'The response is the same for every address, and so is the work for it. If the address belongs to a user, the user receives a ' +
      'link that works once, for one hour. A newer link replaces older ones. Without `SMTP_URL`, no mail is sent.',
    body: requestMailRequest,
    response: { status: 200, schema: ok },
    errors: { forbidden: passwordsOff, rate_limited: tooManyFailures },
  }),

  resetPassword: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/password-resets/{resetToken}' },
    tag,
    summary: 'Reset a password',
    description: 'Ends all sessions of the user, and closes their WebSockets.',
    body: resetPasswordRequest,
    response: { status: 200, schema: ok },
    errors: { not_found: unknownLink, forbidden: passwordsOff, rate_limited: tooManyFailures },
  }),

  requestEmailConfirmation: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/email-verifications' },
    tag,
    summary: 'Request a link to confirm an email address',
    description:
      'The response is the same for every address. The link works once, for 24 hours, and is sent only to the unconfirmed address of a user.',
    body: requestMailRequest,
    response: { status: 200, schema: ok },
    errors: { rate_limited: tooManyFailures },
  }),

  confirmEmail: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/email-verifications/{emailToken}' },
    tag,
    summary: 'Confirm an email address',
    description: 'Completes a change of the address, if the link belongs to one.',
    response: { status: 200, schema: ok },
    errors: {
      not_found: unknownLink,
      already_exists: 'The address now belongs to another user',
      rate_limited: tooManyFailures,
    },
  }),

  closeAccount: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/me' },
    tag,
    summary: 'Close your account',
    description:
      'You leave all workspaces, and those of which you are the only member are closed, as by `DELETE /api/ui/workspaces/{workspaceId}`. ' +
      'Your sessions end, and your name and address are removed from your account. A user without a password needs a session that began in the last 10 minutes. ' +
      'It can’t be undone.',
    body: closeAccountRequest,
    parseBody: parseCloseAccount,
    response: { status: 200, schema: ok },
    errors: {
      missing_params: CLOSE_ACCOUNT_DETAILS.missingPassword,
      invalid_params: CLOSE_ACCOUNT_DETAILS.wrongPassword,
      forbidden: CLOSE_ACCOUNT_DETAILS.signInAgain,
      invalid_state: CLOSE_ACCOUNT_DETAILS.onlyOwner,
      rate_limited: tooManyFailures,
    },
  }),

  changeEmail: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/me/email' },
    tag,
    summary: 'Change your email address',
    description:
      'The new address receives a link, and replaces the present one when the link is used. The present address is notified. ' +
      'The present address itself cancels a change. A user can ask for 10 changes in an hour.',
    body: changeEmailRequest,
    response: { status: 200, schema: ok },
    errors: {
      invalid_params: '`password` must be the current password',
      forbidden: passwordsOff,
      invalid_state:
        'The service sends no mail, so that it cannot confirm an address: SMTP_URL is not set',
      rate_limited: tooManyFailures,
    },
  }),
};
