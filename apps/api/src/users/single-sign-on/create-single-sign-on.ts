import {
  createApplyGroupRoles,
  createIdentityStore,
  createInvitesOfAddress,
  createSignInLinkStore,
} from '@switchboard/database';
import type { ApiConfig } from '../../config.ts';
import type { Infrastructure } from '../../infrastructure.ts';
import type { Stores } from '../../stores.ts';
import { createCookies } from './cookies.ts';
import { type SealFlow, createFlows } from './flows.ts';
import { createIdentityProvider } from './identity-provider.ts';
import { readOidcSettings } from './oidc-settings.ts';
import { createPendingSessions } from './pending-sessions.ts';
import { createResolveUser } from './resolve-user.ts';

const QUARTER_HOUR_SECONDS = 900;

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** Creates what the routes of single sign-on use; `provider` is null if it is not set up. */
export function createSingleSignOn(
  config: ApiConfig,
  infrastructure: Infrastructure,
  stores: Stores,
  { sealFlow }: { sealFlow: SealFlow },
) {
  const { database, bus, clock, limits, secretBox } = infrastructure;
  const settings = readOidcSettings(config);
  const cookies = createCookies(config.PUBLIC_URL);
  const identities = createIdentityStore(database);
  const createFailureLimit = (name: string, failures: number) =>
    limits.createFailureLimit({ name, failures, windowSeconds: QUARTER_HOUR_SECONDS });

  return {
    settings,
    identities,
    signInLinks: createSignInLinkStore(database),
    provider: settings === null ? null : createIdentityProvider(settings),
    flows: createFlows({ cookies, secretBox, sealFlow, clock }),
    pendingSessions: createPendingSessions({
      sessions: stores.sessions,
      cookies,
      clock,
      publishLater: bus.publishLater,
    }),
    resolveUser: createResolveUser({
      identities,
      invitesOfAddress: createInvitesOfAddress(database),
      applyGroupRoles: createApplyGroupRoles(database),
      settings: settings ?? { roleClaim: null, groupRoles: [], isOnly: false },
      allowSignup: config.ALLOW_SIGNUP,
      clock,
      publishLater: bus.publishLater,
    }),
    /** Sign-ins that one client starts: a whole office may have one address. */
    starts: createFailureLimit('sign-on', 300),
    /** Failed sign-ins of one client. */
    failures: createFailureLimit('sign-on-failed', 100),
    /** Wrong links of one client: the way in when the provider is down has a limit of its own. */
    linkFailures: createFailureLimit('sign-in-link', 50),
    publishLater: bus.publishLater,
    publicUrl: config.PUBLIC_URL,
  };
}
