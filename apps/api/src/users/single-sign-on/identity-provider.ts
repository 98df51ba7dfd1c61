import { type LimitedFetch, createLimitedFetch } from '@switchboard/providers';
import { isSameIssuer, toDiscoveryUrl } from '@switchboard/runtime';
import * as oidc from 'openid-client';
import type { OidcSettings } from './oidc-settings.ts';
import { SignOnError, toDiscoveryError, toSignOnError } from './sign-on-error.ts';
import { type Claims, isComplete, mergeClaims } from './read-claims.ts';

/** The values that tie the response of the provider to one sign-in of one browser. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface IdentityProvider {
  /** Returns where the browser signs in. */
  begin(secrets: FlowSecrets): Promise<URL>;
  /**
   * Exchanges the code in the callback's query for the claims about the user, and verifies them.
   *
   * @throws SignOnError
   */
  finish(query: URLSearchParams, secrets: FlowSecrets): Promise<Claims>;
  close(): Promise<void>;
}

/** Limit for each request to the provider. A sign-in makes up to four. */
const TIMEOUT_MS = 5_000;
const RESPONSE_MAX_BYTES = 1_000_000;
/** So that a change at the provider takes effect without a restart. */
const METADATA_MS = 600_000;
/** Tolerated difference of the clocks. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Creates the client of an identity provider. It reads the provider's metadata when it is first needed, so that a
 * provider that does not respond does not keep the API from starting, and its keys at each sign-in, so that a new key
 * is known at once.
 */
export function createIdentityProvider(
  settings: OidcSettings,
  options: { timeoutMs?: number } = {},
): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes, redirectUri } = settings;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const requests = createLimitedFetch({
    timeoutMs,
    maxBytes: RESPONSE_MAX_BYTES,
    proxy: settings.proxy,
  });
  // The library marks this as deprecated, so that it stands out. The settings permit http on this machine only.
  // oxlint-disable-next-line typescript/no-deprecated
  const permitHttp = issuer.startsWith('http:') ? oidc.allowInsecureRequests : null;
  let known: { metadata: oidc.ServerMetadata; until: number } | null = null;
  let reading: Promise<oidc.ServerMetadata> | null = null;

  async function readMetadata(): Promise<oidc.ServerMetadata> {
    const url = toDiscoveryUrl(issuer);
    const found = await oidc
      .discovery(url, clientId, undefined, undefined, {
        [oidc.customFetch]: toCustomFetch(requests),
        timeout: timeoutMs / 1_000,
        ...(permitHttp !== null && { execute: [permitHttp] }),
      })
      .catch((error: unknown) => {
        throw toDiscoveryError(error, url);
      });
    const metadata = structuredClone({ ...found.serverMetadata() }) as oidc.ServerMetadata;
    if (!isSameIssuer(metadata.issuer, issuer)) {
      const reason = `OIDC_ISSUER is ${issuer}, but the provider calls itself ${metadata.issuer}`;
      throw new SignOnError('provider_misconfigured', reason);
    }
    known = { metadata, until: performance.now() + METADATA_MS };
    return metadata;
  }

  function getMetadata(): Promise<oidc.ServerMetadata> {
    if (known !== null && performance.now() < known.until) return Promise.resolve(known.metadata);
    // Concurrent sign-ins share a request.
    reading ??= readMetadata().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** Returns a new object for each sign-in, because the library keeps the provider's keys with it for five minutes. */
  async function configure(): Promise<oidc.Configuration> {
    const metadata = await getMetadata();
    const methods = metadata.token_endpoint_auth_methods_supported;
    const authenticate = methods?.includes('client_secret_post')
      ? oidc.ClientSecretPost(clientSecret)
      : oidc.ClientSecretBasic(clientSecret);
    const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const configuration = new oidc.Configuration(metadata, clientId, client, authenticate);
    configuration[oidc.customFetch] = toCustomFetch(requests);
    configuration.timeout = timeoutMs / 1_000;
    // oxlint-disable-next-line typescript/no-deprecated
    permitHttp?.(configuration);
    // Verifies the signature of the ID token too, which came over TLS: a proxy may have opened it.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async function readClaims(query: URLSearchParams, secrets: FlowSecrets): Promise<Claims> {
    const configuration = await configure();
    const callback = new URL(`${redirectUri}?${query.toString()}`);
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.codeVerifier,
      idTokenExpected: true,
    });
    const claims: Claims = { ...tokens.claims() } as Claims;
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    if (isComplete(claims, settings.roleClaim) || !hasMore) return claims;
    const more = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return mergeClaims(claims, { ...more });
  }

  return {
    async begin({ state, nonce, codeVerifier }) {
      try {
        return oidc.buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
      } catch (error) {
        throw toSignOnError(error);
      }
    },
    async finish(query, secrets) {
      try {
        return await readClaims(query, secrets);
      } catch (error) {
        throw toSignOnError(error);
      }
    },
    close: () => requests.close(),
  };
}

export function createFlowSecrets(): FlowSecrets {
  return {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
}

function toCustomFetch({ fetch }: LimitedFetch): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body != null && { body: body as string | URLSearchParams }),
    });
    // The same class under another name: both follow the standard.
    return response;
  };
}
