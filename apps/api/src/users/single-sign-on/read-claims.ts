import { readEmailAddress } from '@switchboard/contracts';

/** What the provider says about a user, after its signature was verified. */
export interface Claims {
  iss: string;
  sub: string;
  [name: string]: unknown;
}

/** Microsoft's hosts. Only there does `xms_edov` say that an address is verified. */
const ENTRA = /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn)$/;

const GOOGLE = 'accounts.google.com';

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Returns the address in the form in which addresses are stored; null if there is none. */
export function readEmail({ email }: Claims): string | null {
  return typeof email === 'string' ? readEmailAddress(email) : null;
}

/**
 * Returns the address if the provider has verified that it is the user's; null otherwise. An absent `email_verified`
 * is not verified: at some providers, users can enter any address.
 */
export function readVerifiedEmail(claims: Claims): string | null {
  const { iss, email_verified: verified } = claims;
  const host = URL.canParse(iss) ? new URL(iss).hostname : '';
  const email = readEmail(claims);
  if (email === null) return null;
  if (ENTRA.test(host) && verified === undefined) return ownsDomain(claims) ? email : null;
  const isVerified = isTrue(verified) && (host !== GOOGLE || isHostedByGoogle(claims, email));
  return isVerified ? email : null;
}

function ownsDomain({ xms_edov: owns }: Claims): boolean {
  return isTrue(owns) || owns === 1 || owns === '1';
}

/**
 * Anyone can create an account at Google with the address that they have at work, which Google verifies once. Whose address it is
 * now, Google knows only of those that it hosts.
 */
function isHostedByGoogle({ hd: domain }: Claims, email: string): boolean {
  return (typeof domain === 'string' && domain !== '') || /@(gmail|googlemail)\.com$/.test(email);
}

/** Returns the name of the user, or the part of the address before the @. */
export function readName(claims: Claims, email: string): string {
  for (const candidate of [claims['name'], claims['preferred_username'], email.split('@')[0]]) {
    if (typeof candidate !== 'string') continue;
    const name = candidate
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 100);
    if (name !== '') return name.toWellFormed();
  }
  return email;
}

/** More groups than this are not read. */
const MAX_GROUPS = 2_000;

/**
 * Returns the groups in a claim: a list of texts or one text. The name may be a path, as `realm_access.roles`.
 * `too_many`: the provider left the list out because it was too long.
 */
export function readGroups(claims: Claims, roleClaim: string): Set<string> | 'too_many' {
  const value = readClaim(claims, roleClaim);
  if (value === undefined && isLeftOut(claims, roleClaim)) return 'too_many';
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_GROUPS) return 'too_many';
  return new Set(list.filter((group) => typeof group === 'string'));
}

function readClaim(claims: Claims, name: string): unknown {
  // Names of claims may be URLs, which contain dots.
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part))
      return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}

/** A distributed claim (OpenID Connect Core, 5.6.2), by which Entra replaces more than 200 groups. */
function isLeftOut(claims: Claims, name: string): boolean {
  const names = claims['_claim_names'];
  const isNamed = typeof names === 'object' && names !== null && Object.hasOwn(names, name);
  return isNamed || claims['hasgroups'] === true;
}

/** Whether the ID token has all that a sign-in needs, so that no further request is necessary. */
export function isComplete(claims: Claims, roleClaim: string | null): boolean {
  const hasGroups = roleClaim === null || readClaim(claims, roleClaim) !== undefined;
  return readVerifiedEmail(claims) !== null && hasGroups;
}

/**
 * Adds what the userinfo endpoint says. The address comes from one of both with its own `email_verified`, because
 * together they could declare an unverified address verified.
 */
export function mergeClaims(token: Claims, more: Record<string, unknown>): Claims {
  const isOfUserinfo = readVerifiedEmail(token) === null && more['email'] !== undefined;
  const source = isOfUserinfo ? more : token;
  const address = ABOUT_ADDRESS.map((name): [string, unknown] => [name, source[name]]);
  return { ...more, ...token, ...Object.fromEntries(address) };
}

const ABOUT_ADDRESS = ['email', 'email_verified', 'xms_edov', 'hd'];
