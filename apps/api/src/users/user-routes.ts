import { DETAILS, OK, refuse, routes } from '@switchboard/contracts';
import { AppError, type BusNotification } from '@switchboard/core';
import type { SecondFactorStore, UserStore, WorkspaceStore } from '@switchboard/database';
import { toSessionUser } from '../auth/check-session.ts';
import { toClientAddress } from '../auth/client-network.ts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { SingleSignOn } from './single-sign-on/create-single-sign-on.ts';
import type { ChangeEmail } from './change-email.ts';
import type { ChangePassword } from './change-password.ts';
import type { StartSession } from './start-session.ts';
import type { SignUp } from './sign-up.ts';

export interface UserRouteDependencies {
  users: Pick<UserStore, 'readEmailState'>;
  secondFactors: Pick<SecondFactorStore, 'find'>;
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  startSession: StartSession;
  signUp: SignUp;
  changePassword: ChangePassword;
  changeEmail: ChangeEmail;
  sendsMail: boolean;
  /** False if passwords are switched off. */
  hasPasswords: boolean;
  singleSignOn: Pick<SingleSignOn, 'settings' | 'identities'>;
  /** The API of a provider that a carrier simulator replaces; null without one. */
  simulatorUrl: string | null;
  publishLater(notification: BusNotification): void;
}

/** Registers the routes for sign-up, and for the signed-in user, their password and their address. */
export function registerUserRoutes(
  registerRoute: RegisterRoute,
  dependencies: UserRouteDependencies,
): void {
  const {
    users,
    secondFactors,
    workspaces,
    startSession,
    signUp,
    sendsMail,
    hasPasswords,
    simulatorUrl,
  } = dependencies;
  const { settings, identities } = dependencies.singleSignOn;

  registerRoute(routes.getSignUpState, async () => ({
    sign_up: hasPasswords && (await signUp.isOpen()) ? ('open' as const) : ('closed' as const),
    passwords: hasPasswords,
    single_sign_on: settings === null ? null : { name: settings.name },
    sends_mail: sendsMail,
  }));

  registerRoute(routes.signUp, {
    beforeParsing({ request }) {
      if (!hasPasswords) throw new AppError('forbidden', DETAILS.passwordsOff);
      return signUp.assertMaySignUp(request.body);
    },
    async handle({ body, request }) {
      const user = await signUp.signUp(body, toClientAddress(request.ip));
      return startSession(request, { user, staySignedIn: body.stay_signed_in });
    },
  });

  registerRoute(routes.getMe, async ({ session }) => {
    const { user, meetsSecondFactor } = session;
    const { isConfirmed, pending, hasPassword } = await users.readEmailState(user.id);
    const identity = await identities.find(user.id);
    const factor = await secondFactors.find(user.id);
    const memberships = await workspaces.listOfUser(toSessionUser(session));
    return {
      user,
      email_confirmed: isConfirmed,
      pending_email: pending,
      has_password: hasPassword,
      identity:
        identity === null
          ? null
          : { email: identity.email, connected_at: identity.connectedAt.toISOString() },
      sends_mail: sendsMail,
      second_factor:
        factor === null || factor.confirmedAt === null
          ? null
          : {
              since: factor.confirmedAt.toISOString(),
              recovery_codes_left: factor.recoveryCodesLeft,
            },
      workspaces: memberships.map(({ requireSecondFactor, ...workspace }) => ({
        ...workspace,
        needs_second_factor: requireSecondFactor && !meetsSecondFactor,
      })),
      carrier_simulated: simulatorUrl !== null,
      // Each port of the simulator leads to its page.
      phone_url: simulatorUrl === null ? null : new URL('/', simulatorUrl).href,
    };
  });

  registerRoute(routes.changePassword, async ({ session, body, request }) => {
    if (!hasPasswords) throw refuse(routes.changePassword, 'forbidden');
    const ended = await dependencies.changePassword({
      userId: session.user.id,
      currentPassword: body.current_password,
      password: body.password,
      sessionId: session.id,
      ip: toClientAddress(request.ip),
    });
    for (const id of ended) dependencies.publishLater({ kind: 'session_ended', sessionId: id });
    return OK;
  });

  registerRoute(routes.changeEmail, async ({ session, body: { email, password }, request }) => {
    if (!hasPasswords) throw refuse(routes.changeEmail, 'forbidden');
    const { id: sessionId, user } = session;
    await dependencies.changeEmail({
      userId: user.id,
      sessionId,
      email,
      password,
      ip: toClientAddress(request.ip),
    });
    return OK;
  });
}
