import type { ApiConfig } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Stores } from '../stores.ts';
import { createChangePassword } from './change-password.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createSignUp } from './sign-up.ts';
import { createStartSession } from './start-session.ts';

const QUARTER_HOUR_SECONDS = 900;
/** The largest count that PostgreSQL stores for a window. */
const NEVER_REACHED = 2 ** 31 - 1;

/** Creates the functions for login, sign-up and password changes, each with its limits. */
export function createSignIn(config: ApiConfig, infrastructure: Infrastructure, stores: Stores) {
  const { bus, clock, limits } = infrastructure;
  const { users, invites, sessions } = stores;
  const createFailureLimit = (name: string, failures: number) =>
    limits.createFailureLimit({ name, failures, windowSeconds: QUARTER_HOUR_SECONDS });

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
      clock,
    }),
    changePassword: createChangePassword({ users, failures: createFailureLimit('password', 10) }),
    /** Throttles the operators' login to the queue page. */
    operatorFailures: createFailureLimit('operator', 10),
  };
}
