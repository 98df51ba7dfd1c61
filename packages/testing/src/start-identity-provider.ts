import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Provider } from 'oidc-provider';
import { listen } from './listen.ts';

/** The claims of a user at the provider, without `sub`. */
export interface ProviderUser {
  email: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: string[];
}

export interface IdentityProviderFixture {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The settings of an API that signs users in here. */
  env: Record<string, string>;
  /** The users by their `sub`. */
  users: Map<string, ProviderUser>;
  /** Registers the client; before the first sign-in. */
  allow(redirectUri: string): void;
  /** Replaces the keys that sign. */
  rotateKeys(): void;
  close(): Promise<void>;
}

/**
 * Starts an OpenID provider on this machine. Its sign-in page is a form with the users' `sub`s; it asks for no password.
 */
export async function startIdentityProvider(): Promise<IdentityProviderFixture> {
  const users = new Map<string, ProviderUser>();
  const clientId = 'switchboard';
  const clientSecret = 'a secret of the client: + & %';
  let redirectUri = '';
  let keys = [createKey()];
  let provider: Provider | null = null;

  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  const listening = await listen(server);
  // Loaded here, because all tests load this package and few need a provider.
  const oidc = await import('oidc-provider');
  const issuer = listening.url;

  function getProvider(): Provider {
    provider ??= createProvider(oidc.Provider, {
      issuer,
      clientId,
      clientSecret,
      redirectUri,
      keys,
      users,
    });
    return provider;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (!pathname.startsWith('/interaction/')) {
      await getProvider().callback()(request, response);
      return;
    }
    const accountId = searchParams.get('user');
    if (accountId === null) {
      const buttons = [...users].map(
        ([sub, { email }]) => `<button name="user" value="${sub}">${email}</button>`,
      );
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        `<!doctype html><html lang="en"><title>Identity provider</title><form>${buttons.join('')}</form></html>`,
      );
      return;
    }
    const result =
      accountId === 'deny'
        ? { error: 'access_denied', error_description: 'The user refused' }
        : { login: { accountId, remember: false } };
    await getProvider().interactionFinished(request, response, result);
  }

  return {
    issuer,
    clientId,
    clientSecret,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    users,
    allow(uri) {
      redirectUri = uri;
      provider = null;
    },
    rotateKeys() {
      keys = [createKey()];
      provider = null;
    },
    close: listening.close,
  };
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

function createProvider(
  OidcProvider: typeof Provider,
  options: {
    issuer: string;
    clientId: string;
    clientSecret: string;
    redirectUri: string;
    keys: ReturnType<typeof createKey>[];
    users: Map<string, ProviderUser>;
  },
): Provider {
  const { users } = options;
  const provider = new OidcProvider(options.issuer, {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: [options.redirectUri],
      },
    ],
    jwks: { keys: options.keys },
    cookies: { keys: ['test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 60, Interaction: 600, Grant: 600 },
    findAccount(_, sub) {
      const user = users.get(sub);
      return user === undefined
        ? undefined
        : { accountId: sub, claims: async () => ({ sub, ...user }) };
    },
    // No page asks for consent.
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope(String(params?.['scope']));
      await grant.save();
      return grant;
    },
  });
  return provider;
}
