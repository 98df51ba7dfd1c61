import { BlockList, isIP } from 'node:net';
import { ROLES, type Role } from '@switchboard/core';
import { z } from 'zod';
import type { SettingKind } from './setting-kinds.ts';

/** A group of the identity provider, or `*` for every user, and the role that it gives in a workspace. */
export interface GroupRole {
  group: string;
  workspaceId: string;
  role: Role;
}

const MAX_GROUP_ROLES = 200;

/** Creates the setting kind for the issuer of an identity provider. */
export function issuerSetting() {
  const accepts =
    'the https URL that the provider calls its issuer, such as https://id.example.com/realms/main; http only on this machine';
  return createKind<string>(accepts, (text) => {
    const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : null;
    if (url === null || url.username + url.password + url.search + url.hash !== '') return null;
    const isSafe =
      url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    if (!isSafe) return null;
    if (text.includes('/.well-known/'))
      return { problem: 'must be the issuer itself, without /.well-known/…' };
    // Microsoft's addresses for every tenant: anyone can create a tenant and give its users any address.
    return /^\/(common|organizations|consumers)(\/|$)/.test(url.pathname) &&
      url.hostname.startsWith('login.microsoftonline.')
      ? {
          problem:
            'must name one tenant, such as https://login.microsoftonline.com/<tenant id>/v2.0, because common, organizations and consumers accept the users of every tenant',
        }
      : { value: text };
  });
}

/** Creates the setting kind for the scopes of a sign-in. */
export function scopesSetting() {
  const accepts =
    'scopes separated by spaces, one of which is openid, such as openid email profile';
  return createKind<string>(accepts, (text) => {
    const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
    const areScopes = scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
    return areScopes && scopes.includes('openid') ? { value: scopes.join(' ') } : null;
  });
}

const ENTRY =
  /\s*(?<group>\S.*?)\s*:\s*(?<workspaceId>[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\s*:\s*(?<role>\w+)\s*(?:,|$)/iy;

/**
 * Creates the setting kind for the groups that give a role. A group may contain commas and colons, as the names
 * of LDAP and URNs do.
 */
export function groupRolesSetting() {
  const accepts = `1 to ${MAX_GROUP_ROLES} entries <group>:<workspace id>:<role>, separated by commas, with the roles ${ROLES.join(', ')} and the group * for every user`;
  return createKind<GroupRole[]>(accepts, (text) => {
    const entries: GroupRole[] = [];
    let end = 0;
    while (end < text.length) {
      ENTRY.lastIndex = end;
      const { group = '', workspaceId = '', role = '' } = ENTRY.exec(text)?.groups ?? {};
      if (!isRole(role)) return null;
      entries.push({ group, workspaceId: workspaceId.toLowerCase(), role });
      end = ENTRY.lastIndex;
    }
    return entries.length === 0 || entries.length > MAX_GROUP_ROLES ? null : { value: entries };
  });
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Creates a kind from a function that returns null, or a more exact problem, for a text that is not accepted. */
function createKind<Value>(
  accepts: string,
  parse: (text: string) => { value: Value } | { problem: string } | null,
): SettingKind<z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>> {
  const schema = z.string().transform((text, context): Value => {
    const parsed = parse(text);
    if (parsed !== null && 'value' in parsed) return parsed.value;
    context.addIssue(parsed?.problem ?? `must be ${accepts}`);
    return z.NEVER;
  });
  return { accepts, schema };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(urlHost: string): boolean {
  const host = urlHost.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(host);
  if (version === 0) return host === 'localhost';
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
