import { me } from '../me.ts';
import { pagingQuery } from '../query.ts';
import {
  changePasswordRequest,
  logInRequest,
  sessionAnswer,
  sessionList,
  signUpRequest,
} from '../session.ts';
import { signUpState } from '../sign-up-state.ts';
import { ok } from './ok.ts';
import type { RouteTable } from './route.ts';

const tag = 'Users and sessions';

export const userRoutes = {
  'GET /api/ui/users': {
    tag,
    summary: 'Ask whether sign-up is open',
    description: 'An invitation lets in where it is closed, too.',
    credential: null,
    answer: { status: 200, schema: signUpState },
  },
  'POST /api/ui/users': {
    tag,
    summary: 'Sign up',
    description:
      'Open while no user exists, with an invite, or where the operator set `ALLOW_SIGNUP`.',
    credential: null,
    body: signUpRequest,
    answer: { status: 201, schema: sessionAnswer },
    errors: {
      forbidden: 'Sign-up is closed, or the invite is unknown, used, expired or another’s',
      already_exists: 'The email address belongs to a user already',
      quota_exceeded:
        'The workspace of the invite has as many members as it may. The invite stays valid',
      rate_limited: '50 sign-ups without an accepted invite from one address in 15 minutes',
    },
  },
  'POST /api/ui/sessions': {
    tag,
    summary: 'Log in',
    description:
      'A user has at most 100 sessions: a further login ends the one that was unused for longest.',
    credential: null,
    body: logInRequest,
    answer: { status: 201, schema: sessionAnswer },
    errors: {
      unauthorized: 'Wrong email or password',
      rate_limited:
        '10 failures for an account from one address, or 50 from one address, in 15 minutes',
    },
  },
  'DELETE /api/ui/sessions/current': {
    tag,
    summary: 'Log out',
    description: 'Ends the session and its WebSockets.',
    credential: 'session',
    answer: { status: 200, schema: ok },
  },
  'GET /api/ui/sessions': {
    tag,
    summary: 'List your sessions',
    credential: 'session',
    query: pagingQuery,
    answer: { status: 200, schema: sessionList },
  },
  'DELETE /api/ui/sessions': {
    tag,
    summary: 'End all your other sessions',
    description: 'Ends the sessions and their WebSockets. The session of the request stays.',
    credential: 'session',
    answer: { status: 200, schema: ok },
  },
  'DELETE /api/ui/sessions/{sessionId}': {
    tag,
    summary: 'End one of your sessions',
    description: 'Ends the session and its WebSockets.',
    credential: 'session',
    answer: { status: 200, schema: ok },
    errors: { not_found: 'You have no such session' },
  },
  'GET /api/ui/me': {
    tag,
    summary: 'Who is signed in, and where they may go',
    credential: 'session',
    answer: { status: 200, schema: me },
  },
  'POST /api/ui/me/password': {
    tag,
    summary: 'Change your password',
    description: 'Ends your other sessions.',
    credential: 'session',
    body: changePasswordRequest,
    answer: { status: 200, schema: ok },
    errors: {
      invalid_params: '`current_password` is not the current password',
      rate_limited: '10 wrong passwords in one session in 15 minutes',
    },
  },
} as const satisfies RouteTable;
