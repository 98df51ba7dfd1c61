import { OK, refuse, routes } from '@switchboard/contracts';
import { verifyPassword } from '@switchboard/credentials';
import type { UserStore } from '@switchboard/database';
import type { FailureLimit } from '@switchboard/rate-limits';
import type { RegisterRoute } from '../../http/register-route.ts';
import type { SingleSignOn } from './create-single-sign-on.ts';
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
  const { provider, flows, identities, settings } = singleSignOn;

  /** Counts a wrong password. */
  async function isPassword(
    { id, user }: { id: string; user: { id: string } },
    password: string,
  ): Promise<boolean> {
    await passwordFailures.begin(id);
    const found = await users.find(user.id);
    const isCorrect = await verifyPassword(found?.passwordHash ?? null, password);
    if (isCorrect) await passwordFailures.succeed(id);
    return isCorrect;
  }

  registerRoute(routes.connectIdentity, async ({ session, body, request, reply }) => {
    if (provider === null) throw refuse(routes.connectIdentity, 'invalid_state');
    if ((await identities.find(session.user.id)) !== null) {
      throw refuse(routes.connectIdentity, 'already_exists');
    }
    if (!(await isPassword(session, body.password))) {
      throw refuse(routes.connectIdentity, 'invalid_params');
    }
    const target = { returnTo: readReturnTo(body.return_to), userId: session.user.id };
    const { secrets } = await flows.begin({ request, reply }, target);
    return { url: (await provider.begin(secrets)).href };
  });

  registerRoute(routes.disconnectIdentity, async ({ session, body, request }) => {
    if (settings?.isOnly === true) throw refuse(routes.disconnectIdentity, 'forbidden');
    if (!(await isPassword(session, body.password))) {
      throw refuse(routes.disconnectIdentity, 'invalid_params');
    }
    if (!(await identities.disconnect(session.user.id, { ip: request.ip }))) {
      throw refuse(routes.disconnectIdentity, 'not_found');
    }
    return OK;
  });
}
