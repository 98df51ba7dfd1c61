import { OK, refuse, routes } from '@switchboard/contracts';
import { verifyPassword } from '@switchboard/credentials';
import type { UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import { toClientAddress } from '../../auth/client-network.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import type { SingleSignOn } from './create-single-sign-on.ts';
import { countFailure } from '../count-failure.ts';
import { readReturnTo } from './flows.ts';

export interface IdentityRouteDependencies {
  singleSignOn: SingleSignOn;
  users: Pick<UserStore, 'find'>;
  /** Wrong passwords of one session, as for a change of the password. */
  passwordFailures: FailureLimit;
}

/**
 * Registers the routes by which a user connects and disconnects the identity provider. Both take the password, so that
 * a stolen session does not become a lasting access.
 */
export function registerIdentityRoutes(
  registerRoute: RegisterRoute,
  { singleSignOn, users, passwordFailures }: IdentityRouteDependencies,
): void {
  const { provider, flows, identities, settings, publishLater } = singleSignOn;

  const isPassword = (
    { id, user }: { id: string; user: { id: string } },
    password: string,
  ): Promise<boolean> =>
    countFailure([[passwordFailures, id]], async () => {
      const found = await users.find(user.id);
      return verifyPassword(found?.passwordHash ?? null, password);
    });

  registerRoute(routes.connectIdentity, async ({ session, body, request, reply }) => {
    if (provider === null) throw refuse(routes.connectIdentity, 'invalid_state');
    if ((await identities.find(session.user.id)) !== null) {
      throw refuse(routes.connectIdentity, 'already_exists');
    }
    if (!(await isPassword(session, body.password))) {
      throw refuse(routes.connectIdentity, 'invalid_params');
    }
    const connects = { userId: session.user.id, sessionId: session.id };
    const { secrets } = await flows.begin(
      { request, reply },
      { returnTo: readReturnTo(body.return_to), connects },
    );
    return { url: (await provider.begin(secrets)).href };
  });

  registerRoute(routes.disconnectIdentity, async ({ session, body, request }) => {
    if (settings?.isOnly === true) throw refuse(routes.disconnectIdentity, 'forbidden');
    if (!(await isPassword(session, body.password))) {
      throw refuse(routes.disconnectIdentity, 'invalid_params');
    }
    const by = { ip: toClientAddress(request.ip), sessionId: session.id };
    const disconnected = await identities.disconnect(session.user.id, by);
    if (disconnected === null) throw refuse(routes.disconnectIdentity, 'not_found');
    for (const sessionId of disconnected.endedSessionIds) {
      publishLater({ kind: 'session_ended', sessionId });
    }
    return OK;
  });
}
