import { type SignUpState, changePasswordRequest, parseBody } from '@switchboard/contracts';
import type { BusNotification } from '@switchboard/core';
import type { WorkspaceStore } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { Credentials } from '../http/credentials.ts';
import type { ChangePassword } from './change-password.ts';
import type { StartSession } from './session-routes.ts';
import type { SignUp } from './sign-up.ts';

export interface UserRouteDependencies {
  credentials: Credentials;
  workspaces: Pick<WorkspaceStore, 'listOfUser'>;
  startSession: StartSession;
  signUp: SignUp;
  changePassword: ChangePassword;
  isCarrierSimulated: boolean;
  publishLater(notification: BusNotification): void;
}

/** Sign-up, the signed-in user, and a new password. */
export function registerUserRoutes(
  app: FastifyInstance,
  dependencies: UserRouteDependencies,
): void {
  const { credentials, workspaces, startSession } = dependencies;
  const { isOpen, signUp } = dependencies.signUp;
  const session = [credentials.requireSession];

  app.get('/api/ui/users', async (): Promise<SignUpState> => {
    return { sign_up: (await isOpen()) ? 'open' : 'closed' };
  });

  app.post('/api/ui/users', async (request, reply) => {
    const user = await signUp(request.body, request.ip);
    return reply.code(201).send(await startSession(request, user));
  });

  app.get('/api/ui/me', { onRequest: session }, async (request) => ({
    user: request.session.user,
    workspaces: await workspaces.listOfUser(request.session.user.id),
    carrier_simulated: dependencies.isCarrierSimulated,
  }));

  app.post('/api/ui/me/password', { onRequest: session }, async (request) => {
    const body = parseBody(changePasswordRequest, request.body);
    const { id: sessionId, user } = request.session;
    const ended = await dependencies.changePassword({
      userId: user.id,
      currentPassword: body.current_password,
      password: body.password,
      sessionId,
    });
    for (const id of ended) dependencies.publishLater({ kind: 'session_ended', sessionId: id });
    return { ok: true };
  });
}
