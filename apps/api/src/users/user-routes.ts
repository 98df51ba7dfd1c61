import { OK, routes } from '@switchboard/contracts';
import type { BusNotification } from '@switchboard/core';
import type { WorkspaceStore } from '@switchboard/database';
import type { RegisterRoute } from '../http/register-route.ts';
import type { ChangePassword } from './change-password.ts';
import type { StartSession } from './start-session.ts';
import type { SignUp } from './sign-up.ts';

export interface UserRouteDependencies {
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  startSession: StartSession;
  signUp: SignUp;
  changePassword: ChangePassword;
  isCarrierSimulated: boolean;
  publishLater(notification: BusNotification): void;
}

/** Registers the routes for sign-up, the signed-in user and password changes. */
export function registerUserRoutes(
  registerRoute: RegisterRoute,
  dependencies: UserRouteDependencies,
): void {
  const { workspaces, startSession, signUp } = dependencies;

  registerRoute(routes.getSignUpState, async () => ({
    sign_up: (await signUp.isOpen()) ? ('open' as const) : ('closed' as const),
  }));

  registerRoute(routes.signUp, {
    beforeParsing: ({ request }) => signUp.assertMaySignUp(request.body),
    async handle({ body, request }) {
      const user = await signUp.signUp(body, request.ip);
      return startSession(request, { user, staySignedIn: body.stay_signed_in });
    },
  });

  registerRoute(routes.getMe, async ({ session: { user } }) => ({
    user,
    workspaces: await workspaces.listOfUser(user.id),
    carrier_simulated: dependencies.isCarrierSimulated,
  }));

  registerRoute(routes.changePassword, async ({ session, body }) => {
    const ended = await dependencies.changePassword({
      userId: session.user.id,
      currentPassword: body.current_password,
      password: body.password,
      sessionId: session.id,
    });
    for (const id of ended) dependencies.publishLater({ kind: 'session_ended', sessionId: id });
    return OK;
  });
}
