import { type OutboundProxy, readProxy } from '@switchboard/providers';
import type { GroupRole } from '@switchboard/runtime';
import type { ApiConfig } from '../../config.ts';

/** How this installation signs users in at an identity provider. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Completes "Sign in with …". */
  name: string;
  scopes: string;
  /** The claim with the groups of a user; null if groups give no roles. */
  roleClaim: string | null;
  groupRoles: readonly GroupRole[];
  /** Passwords are switched off. */
  isOnly: boolean;
  redirectUri: string;
  proxy: OutboundProxy | null;
}

/** Returns the settings of single sign-on; null if it is not set up. */
export function readOidcSettings(config: ApiConfig): OidcSettings | null {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: config.OIDC_NAME,
    scopes: config.OIDC_SCOPES,
    roleClaim: config.OIDC_ROLE_CLAIM ?? null,
    groupRoles: config.OIDC_ROLE_MAP ?? [],
    isOnly: config.OIDC_ONLY,
    // Never from the Host header of a request.
    redirectUri: `${config.PUBLIC_URL}/api/ui/oidc/callback`,
    proxy: readProxy(config),
  };
}
