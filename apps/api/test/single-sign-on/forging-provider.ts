import { type KeyObject, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import { listen } from '@switchboard/testing';

/** What the provider does differently from an honest one. */
export interface Forgery {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  signature?: 'wrong_key' | 'none' | 'hmac_of_public_key';
  metadata?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  /** Responds to the token request instead. */
  onToken?(response: ServerResponse): void;
  /** Responds to the request for the metadata instead. */
  onMetadata?(response: ServerResponse): void;
}

const CLIENT_ID = 'switchboard';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts a provider that answers every code with a token that the test forges. */
export async function startForgingProvider() {
  const own = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const state = { forgery: {} as Forgery, nonce: '', tokenRequests: 0 };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    const { forgery } = state;
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (pathname === '/.well-known/openid-configuration') {
      if (forgery.onMetadata !== undefined) return forgery.onMetadata(response);
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
        ...(forgery.userinfo !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
        ...forgery.metadata,
      });
    }
    if (pathname === '/jwks') {
      return json({
        keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
      });
    }
    if (pathname === '/userinfo') return json(forgery.userinfo);
    if (pathname !== '/token') return json({});
    state.tokenRequests += 1;
    if (forgery.onToken !== undefined) return forgery.onToken(response);
    return json({ access_token: 'a', token_type: 'Bearer', id_token: forge(forgery) });
  });
  const { url: issuer, close } = await listen(server);

  function forge({ claims, header, signature }: Forgery): string {
    const now = Math.floor(Date.now() / 1_000);
    const content = [
      encode({ alg: 'RS256', kid: 'k', ...header }),
      encode({
        iss: issuer,
        aud: CLIENT_ID,
        sub: 'forged',
        iat: now,
        exp: now + 300,
        nonce: state.nonce,
        email: 'forged@corp.example',
        email_verified: true,
        ...claims,
      }),
    ].join('.');
    const signWith = (key: KeyObject) => sign('sha256', Buffer.from(content), key);
    const publicPem = own.publicKey.export({ format: 'pem', type: 'spki' });
    const bytes =
      signature === 'none'
        ? Buffer.alloc(0)
        : signature === 'hmac_of_public_key'
          ? createHmac('sha256', publicPem).update(content).digest()
          : signWith(signature === 'wrong_key' ? other.privateKey : own.privateKey);
    return `${content}.${bytes.toString('base64url')}`;
  }

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: 'secret' },
    /** The answer of the provider to the browser. */
    callbackOf(started: URL, changes: Record<string, string | null> = {}): string {
      state.nonce = started.searchParams.get('nonce') ?? '';
      const url = new URL(started.searchParams.get('redirect_uri') ?? '');
      const fields = { code: 'c', state: started.searchParams.get('state'), iss: issuer };
      for (const [name, value] of Object.entries({ ...fields, ...changes })) {
        if (value !== null) url.searchParams.set(name, value);
      }
      return url.href;
    },
    state,
    close,
  };
}
