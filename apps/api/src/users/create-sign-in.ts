import type { ApiConfig } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { SealSecret } from '../seal-secret.ts';
import type { Stores } from '../stores.ts';
import { createChangeEmail } from './change-email.ts';
import { createChangePassword } from './change-password.ts';
import { CODES_PER_DAY, createCheckFactor } from './check-factor.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPassFactor, createSecondFactor } from './second-factor.ts';
import { createRequestMail } from './request-mail.ts';
import { createSignUp } from './sign-up.ts';
import { createStartSession } from './start-session.ts';
import { createUseLink } from './use-link.ts';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** The largest count that PostgreSQL stores for a window. */
const NEVER_REACHED = 2 ** 31 - 1;

/** Creates the functions for login, sign-up, passwords and addresses, each with its limits. */
export function createSignIn(
  config: ApiConfig,
  infrastructure: Infrastructure,
  stores: Stores,
  sealTotpSecret: SealSecret,
) {
  const { bus, clock, limits, secretBox, reportError } = infrastructure;
  const { users, invites, sessions, accountTokens, mails, secondFactors } = stores;
  const sendsMail = config.SMTP_URL !== undefined;
  const createFailureLimit = (
    name: string,
    failures: number,
    windowSeconds = QUARTER_HOUR_SECONDS,
  ) => limits.createFailureLimit({ name, failures, windowSeconds });
  const passwordFailures = createFailureLimit('password', 10);
  const checkFactor = createCheckFactor({
    secondFactors,
    secretBox,
    clock,
    pairFailures: createFailureLimit('factor', 10),
    clientFailures: createFailureLimit('factor-client', 50),
    accountFailures: createFailureLimit('factor-account', CODES_PER_DAY, DAY_SECONDS),
    sendsMail,
  });

  return {
    startSession: createStartSession({ sessions, clock, publishLater: bus.publishLater }),
    beginLogin: createLoginThrottle({
      pairFailures: createFailureLimit('login', 10),
      addressFailures: createFailureLimit('address', 50),
      accountFailures: createFailureLimit('account', NEVER_REACHED),
    }),
    signUp: createSignUp({
      users,
      invites,
      attempts: createFailureLimit('sign-up', 50),
      allowSignup: config.ALLOW_SIGNUP,
      sendsMail,
      clock,
      onError: reportError('sign-up'),
    }),
    passFactor: createPassFactor({ secondFactors, checkFactor }),
    secondFactor: createSecondFactor({
      users,
      secondFactors,
      checkFactor,
      secretBox,
      sealSecret: sealTotpSecret,
      clock,
      passwordFailures,
      setUpFailures: createFailureLimit('factor-set-up', 10),
      issuer: toIssuer(config.PUBLIC_URL),
      sendsMail,
    }),
    changePassword: createChangePassword({ users, failures: passwordFailures }),
    changeEmail: createChangeEmail({
      users,
      accountTokens,
      failures: passwordFailures,
      changes: createFailureLimit('email-change', 10, HOUR_SECONDS),
      sendsMail,
    }),
    requestMail: createRequestMail({
      mails,
      pairRequests: createFailureLimit('mail', 5),
      clientRequests: createFailureLimit('mail-client', 50),
      sendsMail,
    }),
    useLink: createUseLink({ accountTokens, failures: createFailureLimit('link', 50) }),
    sendsMail,
    passwordFailures,
    /** Throttles the operators' login to the queue page. */
    operatorFailures: createFailureLimit('operator', 10),
  };
}

/**
 * Returns the name of the installation in authenticator apps, where a user may have several. It has no port, because a
 * colon ends the issuer.
 */
function toIssuer(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /[a-z]\.[a-z]/i.test(hostname) ? hostname : 'Switchboard';
}
