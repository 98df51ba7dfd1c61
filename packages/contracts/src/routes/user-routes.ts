import { QUOTAS, quotaExceeded } from '@switchboard/core';
import { me } from '../me.ts';
import { pagingQuery } from '../query.ts';
import {
  changePasswordRequest,
  logInRequest,
  sessionResponse,
  sessionList,
  signUpRequest,
} from '../session.ts';
import { signUpState } from '../sign-up-state.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';

const tag = 'Users and sessions';
const tooManyFailures = 'Too many failed attempts; try again later';

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
      'unused the longest.',
    body: logInRequest,
    response: { status: 201, schema: sessionResponse },
    errors: {
      unauthorized: 'Wrong email or password',
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
      rate_limited: tooManyFailures,
    },
  }),
};
