import { refuse, routes } from '@switchboard/contracts';
import { hashToken } from '@switchboard/credentials';
import { toClientAddress, toClientNetwork } from '../../auth/client-network.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { countFailure } from '../count-failure.ts';
import type { StartSession } from '../start-session.ts';
import type { SingleSignOn } from './create-single-sign-on.ts';

export interface SignOnRouteDependencies {
  singleSignOn: SingleSignOn;
  startSession: StartSession;
}

/** Registers the routes by which a session begins after a single sign-on, and with a link of the operator. */
export function registerSignOnRoutes(
  registerRoute: RegisterRoute,
  { singleSignOn, startSession }: SignOnRouteDependencies,
): void {
  const { pendingSessions, failures, linkFailures } = singleSignOn;

  registerRoute(routes.createSignOnSession, async ({ request, reply }) => {
    const client = toClientNetwork(request.ip);
    await failures.begin(client);
    const session = await pendingSessions.finish({ request, reply });
    if (session === null) throw refuse(routes.createSignOnSession, 'unauthorized');
    await failures.succeed(client);
    return session;
  });

  registerRoute(routes.useSignInLink, async ({ params: { signInToken }, request }) => {
    const client = toClientNetwork(request.ip);
    const user = await countFailure([[linkFailures, client]], () =>
      singleSignOn.signInLinks.use(hashToken(signInToken), toClientAddress(request.ip)),
    );
    if (user === null) throw refuse(routes.useSignInLink, 'not_found');
    return startSession(request, { user, staySignedIn: false, method: 'link' });
  });
}
