import { type Clock, type Role, ROLES, createUuidV7 } from '@switchboard/core';
import type {
  ApplyGroupRoles,
  Identity,
  IdentityStore,
  InvitesOfAddress,
  User,
} from '@switchboard/database';
import type { BusNotification } from '@switchboard/core';
import type { OidcSettings } from './oidc-settings.ts';
import { type Claims, readEmail, readGroups, readName, readVerifiedEmail } from './read-claims.ts';
import { SignOnError } from './sign-on-error.ts';

export interface ResolveUserDependencies {
  identities: IdentityStore;
  invitesOfAddress: InvitesOfAddress;
  applyGroupRoles: ApplyGroupRoles;
  settings: Pick<OidcSettings, 'roleClaim' | 'groupRoles' | 'isOnly'>;
  allowSignup: boolean;
  clock: Clock;
  publishLater(notification: BusNotification): void;
}

/** Finds or creates the user of an identity, and gives the roles of their groups. */
export function createResolveUser(dependencies: ResolveUserDependencies) {
  const { identities, invitesOfAddress, applyGroupRoles, settings, clock, publishLater } =
    dependencies;

  async function connectExisting(
    found: NonNullable<Awaited<ReturnType<IdentityStore['findByEmail']>>>,
    identity: Identity,
    ip: string,
  ): Promise<User | 'taken'> {
    const { isConfirmed, isConnected, ...user } = found;
    if (isConnected) {
      throw new SignOnError('other_identity', 'the user of the address has another identity');
    }
    // The person who created the user may not be the one who has the address. With passwords switched off, the provider alone
    // decides who a user is.
    if (!isConfirmed && !settings.isOnly) {
      throw new SignOnError('unconfirmed_account', 'the user has not confirmed the address');
    }
    const takeOver = !isConfirmed;
    const connected = await identities.connect(user.id, identity, {
      ip,
      confirms: true,
      takeOver,
      // With passwords switched off, no sign-in asks for the user's own factor any more.
      ignoresFactor: settings.isOnly,
      sessionId: null,
    });
    if (connected === 'taken') return 'taken';
    if (typeof connected === 'string') throw refuseConnection(connected);
    for (const sessionId of connected.endedSessionIds) {
      publishLater({ kind: 'session_ended', sessionId });
    }
    return user;
  }

  async function create(
    claims: Claims,
    identity: Identity,
    { email, isWelcome }: { email: string; isWelcome: boolean },
  ): Promise<User | 'taken'> {
    const mayCreate =
      dependencies.allowSignup || isWelcome || (await invitesOfAddress.exist(email));
    const createdAt = clock.now();
    const created = await identities.create(
      {
        id: createUuidV7(createdAt),
        email,
        name: readName(claims, email),
        createdAt: new Date(createdAt),
      },
      identity,
      { onlyTheFirst: !mayCreate },
    );
    if (created === 'not_the_first') {
      throw new SignOnError(
        'sign_up_closed',
        'the address is not invited, and no group gives a role',
      );
    }
    return created;
  }

  async function findOrCreate(
    claims: Claims,
    roles: Roles | null,
    ip: string,
  ): Promise<{ user: User; isNew: boolean }> {
    const verifiedEmail = readVerifiedEmail(claims);
    const identity = toIdentity(claims);
    // A second attempt finds what a concurrent sign-in has created.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const known = await identities.signIn(identity, { verifiedEmail, ip });
      if (known !== null) return { user: known, isNew: false };
      if (verifiedEmail === null) {
        throw new SignOnError(
          'unverified_email',
          'the provider does not say that the address is verified, with email_verified, hd of Google or xms_edov of Entra',
        );
      }
      const existing = await identities.findByEmail(verifiedEmail, identity.issuer);
      const isWelcome = roles !== null && roles.size > 0;
      const user =
        existing === null
          ? await create(claims, identity, { email: verifiedEmail, isWelcome })
          : await connectExisting(existing, identity, ip);
      if (user !== 'taken') return { user, isNew: existing === null };
    }
    throw new SignOnError('internal_error', 'concurrent sign-ins of one address');
  }

  return {
    /** @throws SignOnError */
    async signIn(claims: Claims, ip: string): Promise<User> {
      const roles = readRoles(claims, settings);
      const { user, isNew } = await findOrCreate(claims, roles, ip);
      // With the map removed, what groups gave ends too.
      const { removedFrom, changedIn } = await applyGroupRoles(user, roles ?? new Map(), ip);
      for (const workspaceId of removedFrom) {
        publishLater({ kind: 'member_removed', workspaceId, userId: user.id });
      }
      if (changedIn.length > 0) publishLater({ kind: 'access_changed', id: user.id });
      // As a sign-up with an invitation. Later ones are accepted by their links, so that no user is added unasked.
      if (isNew) await invitesOfAddress.acceptAll(user, ip, new Date(clock.now()));
      return user;
    },

    /** Connects the identity with a user who is signed in. @throws SignOnError */
    async connect(
      claims: Claims,
      { userId, sessionId }: { userId: string; sessionId: string },
      ip: string,
    ): Promise<void> {
      const options = { ip, confirms: false, takeOver: false, ignoresFactor: false, sessionId };
      const connected = await identities.connect(userId, toIdentity(claims), options);
      if (typeof connected === 'string') throw refuseConnection(connected);
    },
  };
}

function refuseConnection(refusal: 'taken' | 'has_factor' | 'session_ended'): SignOnError {
  switch (refusal) {
    case 'taken':
      return new SignOnError('identity_in_use', 'the identity or the user is connected already');
    case 'has_factor':
      return new SignOnError('second_factor', 'the user has a second factor');
    case 'session_ended':
      return new SignOnError('expired', 'the session that began the connection has ended');
  }
}

function toIdentity(claims: Claims): Identity {
  return { issuer: claims.iss, subject: claims.sub, email: readEmail(claims) };
}

type Roles = Map<string, Role>;

/** Returns the highest role that the groups give in each workspace; null if groups give no roles. */
function readRoles(
  claims: Claims,
  { roleClaim, groupRoles }: ResolveUserDependencies['settings'],
): Roles | null {
  if (roleClaim === null) return null;
  const groups = readGroups(claims, roleClaim);
  if (groups === 'too_many') {
    throw new SignOnError('too_many_groups', 'the provider left out the groups of the user');
  }
  const roles: Roles = new Map();
  for (const { group, workspaceId, role } of groupRoles) {
    if (group !== '*' && !groups.has(group)) continue;
    const other = roles.get(workspaceId);
    // ROLES begins with the highest.
    const isHigher = other === undefined || ROLES.indexOf(role) < ROLES.indexOf(other);
    if (isHigher) roles.set(workspaceId, role);
  }
  return roles;
}
