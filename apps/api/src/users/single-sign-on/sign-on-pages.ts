import { SIGN_ON_RESULTS, type SignOnErrorCode } from '@switchboard/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toClientAddress, toClientNetwork } from '../../auth/client-network.ts';
import type { SingleSignOn } from './create-single-sign-on.ts';
import { readReturnTo } from './flows.ts';
import { SignOnError, codeOf } from './sign-on-error.ts';

/** Failures that are not counted as attempts of the client. */
const NOT_OF_CLIENT: ReadonlySet<SignOnErrorCode> = new Set([
  'provider_unavailable',
  'provider_misconfigured',
  'internal_error',
]);

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/**
 * Registers the two pages that a browser opens to sign in at the identity provider. Both only send it on: to the provider, or to
 * the dashboard, which shows errors in words. So they are not in the OpenAPI document.
 */
export function registerSignOnPages(
  app: FastifyInstance,
  { singleSignOn }: { singleSignOn: SingleSignOn },
): void {
  const { provider, flows, pendingSessions, resolveUser, starts, failures, publicUrl } =
    singleSignOn;

  function signInPage(next: string): URL {
    const page = new URL(`${publicUrl}/sign-in`);
    if (next !== '/') page.searchParams.set('next', next);
    return page;
  }

  /** The page that shows the error: the one that started, or the sign-in page. */
  function explain(request: FastifyRequest, error: unknown, page: URL): URL {
    const code = codeOf(error);
    // No claim, code or token is in a reason.
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    if (code === 'internal_error') request.log.error({ code, err: error }, 'single sign-on failed');
    else request.log.warn({ code, reason }, 'single sign-on failed');
    page.hash = `sso_error=${code}`;
    return page;
  }

  const send = (reply: FastifyReply, url: URL): FastifyReply =>
    reply.headers(HEADERS).redirect(url.href, 303);

  app.get('/api/ui/oidc/start', { exposeHeadRoute: false }, async (request, reply) => {
    const { searchParams } = new URL(request.url, publicUrl);
    const returnTo = readReturnTo(searchParams.get('return_to') ?? undefined);
    try {
      if (provider === null) throw new SignOnError('not_configured', 'OIDC_ISSUER is not set');
      await starts.begin(toClientNetwork(request.ip));
      const { secrets } = await flows.begin({ request, reply }, { returnTo, connects: null });
      return await send(reply, await provider.begin(secrets));
    } catch (error) {
      return send(reply, explain(request, error, signInPage(returnTo)));
    }
  });

  app.get('/api/ui/oidc/callback', { exposeHeadRoute: false }, async (request, reply) => {
    let page = signInPage('/');
    const client = toClientNetwork(request.ip);
    try {
      if (provider === null) throw new SignOnError('not_configured', 'OIDC_ISSUER is not set');
      const { searchParams } = new URL(request.url, publicUrl);
      const flow = flows.take({ request, reply }, searchParams.get('state') ?? '');
      // Not counted: any page could make a visitor's browser ask for this, and it costs nothing.
      if (flow === null) {
        throw new SignOnError('expired', 'this browser has no sign-in with this state');
      }
      const { secrets, returnTo, connects } = flow;
      page = connects === null ? signInPage(returnTo) : new URL(returnTo, publicUrl);
      await failures.begin(client);
      const claims = await provider.finish(searchParams, secrets);
      if (connects === null) {
        const user = await resolveUser.signIn(claims, toClientAddress(request.ip));
        await pendingSessions.begin({ request, reply }, user);
      } else {
        await resolveUser.connect(claims, connects, toClientAddress(request.ip));
      }
      await failures.succeed(client);
      const { finish, connected } = SIGN_ON_RESULTS;
      page.hash = `sso=${connects === null ? finish : connected}`;
      return await send(reply, page);
    } catch (error) {
      // What the provider or this service got wrong must not shut the client out.
      if (NOT_OF_CLIENT.has(codeOf(error))) await failures.succeed(client);
      return send(reply, explain(request, error, page));
    }
  });
}
