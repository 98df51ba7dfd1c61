import { ok } from './ok.ts';
import { sessionResponse } from '../session.ts';
import {
  connectIdentityRequest,
  connectIdentityResponse,
  disconnectIdentityRequest,
} from '../single-sign-on.ts';
import { defineRoute } from './define-route.ts';
import { DETAILS } from './details.ts';

const tag = 'Users and sessions';
const tooManyFailures = 'Too many failed attempts; try again later';
const wrongPassword = '`password` must be the current password';
const notSetUp = 'Single sign-on is not set up: OIDC_ISSUER is not set';

/** Besides these, a browser opens two pages: see `sign-on-pages.ts` of the API. */
export const singleSignOnRoutes = {
  createSignOnSession: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/oidc/sessions' },
    tag,
    summary: 'Start the session of a single sign-on',
    description:
      'Works once, within 60 seconds, in the browser that came back from the identity provider: a cookie that scripts cannot read identifies it. The session ends after 24 hours.',
    response: { status: 201, schema: sessionResponse },
    errors: {
      unauthorized: 'The sign-in is unknown, used or older than 60 seconds: sign in again',
      rate_limited: tooManyFailures,
    },
  }),

  useSignInLink: defineRoute({
    method: 'POST',
    paths: { none: '/api/ui/sign-in-links/{signInToken}' },
    tag,
    summary: 'Sign in with a link from the operator',
    description:
      'The operator prints the link with `npm run sign-in-link`, for example while the identity provider is down. It works once, for 15 minutes. The session ends after 24 hours.',
    response: { status: 201, schema: sessionResponse },
    errors: {
      not_found: 'The link is unknown, used, expired or replaced by a newer one',
      rate_limited: tooManyFailures,
    },
  }),

  connectIdentity: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/me/identity' },
    tag,
    summary: 'Connect single sign-on with your account',
    description:
      'The browser then opens `url`, and comes back to `return_to` with `#sso=connected` or `#sso_error=<code>`. One session allows 10 wrong passwords in 15 minutes.',
    body: connectIdentityRequest,
    response: { status: 200, schema: connectIdentityResponse },
    errors: {
      invalid_params: wrongPassword,
      invalid_state: notSetUp,
      already_exists: 'Your account is connected already: disconnect it first',
      rate_limited: tooManyFailures,
    },
  }),

  disconnectIdentity: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/me/identity/disconnect' },
    tag,
    summary: 'Disconnect single sign-on from your account',
    description:
      'You then sign in with your password. Memberships that groups gave stay until an owner changes them.',
    body: disconnectIdentityRequest,
    response: { status: 200, schema: ok },
    errors: {
      invalid_params: wrongPassword,
      not_found: 'Your account is not connected',
      forbidden: DETAILS.passwordsOff,
      rate_limited: tooManyFailures,
    },
  }),
};
