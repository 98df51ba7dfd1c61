import { FACTOR_DETAILS } from '../factor-details.ts';
import {
  beginTotpRequest,
  confirmTotpRequest,
  parseBeginTotp,
  provenRequest,
  recoveryCodes,
  totpSecret,
} from '../second-factor.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { tooManyFailures } from './user-routes.ts';

const tag = 'Users and sessions';

const notOn = 'You have no second factor: begin with `POST /api/ui/totp`';

export const secondFactorRoutes = {
  beginTotp: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/totp' },
    tag,
    summary: 'Begin to set up a second factor',
    description:
      'Returns the secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It counts from its confirmation ' +
      'on, which must follow within an hour. Another call replaces the secret.',
    body: beginTotpRequest,
    parseBody: parseBeginTotp,
    response: { status: 201, schema: totpSecret },
    errors: {
      missing_params: FACTOR_DETAILS.missingPassword,
      invalid_params: FACTOR_DETAILS.wrongPassword,
      invalid_state: 'You already have a second factor: turn it off first',
      rate_limited: tooManyFailures,
    },
  }),

  confirmTotp: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/totp/confirm' },
    tag,
    summary: 'Turn on the second factor',
    description:
      'From then on, a login needs a code, of which each works once. Ends your other sessions, and returns ten recovery codes, ' +
      'of which each replaces the app once. They are shown only here.',
    body: confirmTotpRequest,
    response: { status: 201, schema: recoveryCodes },
    errors: {
      invalid_params:
        '`code` must be the present code of the app. If it is, check the clock of the phone',
      invalid_state:
        'There is no set-up to finish, or it began more than an hour ago: begin with `POST /api/ui/totp`',
      rate_limited: tooManyFailures,
    },
  }),

  createRecoveryCodes: defineRoute({
    method: 'POST',
    paths: { session: '/api/ui/totp/recovery-codes' },
    tag,
    summary: 'Create new recovery codes',
    description: 'The earlier ones no longer work.',
    body: provenRequest,
    response: { status: 201, schema: recoveryCodes },
    errors: {
      invalid_params: FACTOR_DETAILS.wrongCode,
      invalid_state: notOn,
      rate_limited: FACTOR_DETAILS.tooManyCodes,
    },
  }),

  removeTotp: defineRoute({
    method: 'DELETE',
    paths: { session: '/api/ui/totp' },
    tag,
    summary: 'Turn off the second factor',
    description:
      'A workspace that requires a second factor is then closed to you until you have set up another one.',
    body: provenRequest,
    response: { status: 200, schema: ok },
    errors: {
      invalid_params: FACTOR_DETAILS.wrongCode,
      invalid_state: notOn,
      rate_limited: FACTOR_DETAILS.tooManyCodes,
    },
  }),
};
