/** Returns where an identity provider publishes its metadata (OpenID Connect Discovery 1.0, section 4). */
export function toDiscoveryUrl(issuer: string): URL {
  return new URL(`${withoutSlash(issuer)}/.well-known/openid-configuration`);
}

/** Whether two texts name one issuer. Operators copy it with and without the last slash. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');
