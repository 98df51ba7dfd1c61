import { type KeyObject, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@switchboard/testing';

/** What the provider does differently from an honest one. */
export interface Forgery {
  claims?: Record<string, unknown>;
  /** By how much its clock is ahead of this machine's. */
  aheadSeconds?: number;
  header?: Record<string, unknown>;
  signature?: 'wrong_key' | 'none' | 'hmac_of_public_key';
  metadata?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  /** Responds to the token request instead. */
  onToken?(response: ServerResponse): void;
  /** Responds to the request for the metadata instead. */
  onMetadata?(response: ServerResponse): void;
  /** Responds to the request for the keys instead. */
  onKeys?(response: ServerResponse): void;
}

const CLIENT_ID = 'switchboard';
const SUBJECT = 'forged';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const createKeys = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });

/**
 * Starts a provider that answers every code with a token that the test forges. `calledAs`: its issuer, if it is reached
 * under another address than that of this machine. `endsWithSlash`: as the issuers of some products do.
 */
export async function startForgingProvider({
  calledAs,
  endsWithSlash = false,
}: { calledAs?: string; endsWithSlash?: boolean } = {}) {
  let own = createKeys();
  let keyId = 'k';
  const other = createKeys();
  const state = {
    forgery: {} as Forgery,
    nonce: '',
    challenge: '',
    tokenRequests: 0,
    metadataRequests: 0,
    userinfoRequests: 0,
    /** The form of the latest token request. */
    tokenForm: new URLSearchParams(),
  };

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', base);
    const { forgery } = state;
    const json = (value: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (pathname === '/.well-known/openid-configuration') {
      state.metadataRequests += 1;
      if (forgery.onMetadata !== undefined) return forgery.onMetadata(response);
      return json({
        issuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/jwks`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
        userinfo_endpoint: `${base}/userinfo`,
        ...forgery.metadata,
      });
    }
    if (pathname === '/jwks') {
      if (forgery.onKeys !== undefined) return forgery.onKeys(response);
      return json({
        keys: [
          { ...own.publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' },
        ],
      });
    }
    if (pathname === '/userinfo') {
      state.userinfoRequests += 1;
      return json({ sub: forgery.claims?.['sub'] ?? SUBJECT, ...forgery.userinfo });
    }
    if (pathname !== '/token') return json({});
    state.tokenRequests += 1;
    if (forgery.onToken !== undefined) return forgery.onToken(response);
    return void text(request).then((form) => {
      state.tokenForm = new URLSearchParams(form);
      json({ access_token: 'a', token_type: 'Bearer', id_token: forge(forgery) });
    });
  });
  const { url, close } = await listen(server);
  const base = calledAs ?? url;
  const issuer = endsWithSlash ? `${base}/` : base;

  function forge({ claims, header, signature, aheadSeconds = 0 }: Forgery): string {
    const now = Math.floor(Date.now() / 1_000) + aheadSeconds;
    const content = [
      encode({ alg: 'RS256', kid: keyId, ...header }),
      encode({
        iss: issuer,
        aud: CLIENT_ID,
        sub: SUBJECT,
        iat: now,
        nbf: now,
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
    /** Where it listens. */
    url,
    /** Signs with another key from now on. */
    replaceKey(id: string) {
      own = createKeys();
      keyId = id;
    },
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: 'secret' },
    /** The answer of the provider to the browser. */
    callbackOf(started: URL, changes: Record<string, string | null> = {}): string {
      state.nonce = started.searchParams.get('nonce') ?? '';
      state.challenge = started.searchParams.get('code_challenge') ?? '';
      const callback = new URL(started.searchParams.get('redirect_uri') ?? '');
      const fields = { code: 'c', state: started.searchParams.get('state'), iss: issuer };
      for (const [name, value] of Object.entries({ ...fields, ...changes })) {
        if (value !== null) callback.searchParams.set(name, value);
      }
      return callback.href;
    },
    state,
    close,
  };
}
