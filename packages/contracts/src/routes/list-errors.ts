import { type ErrorCode, PERMISSIONS, type Permission } from '@switchboard/core';
import type { z } from 'zod';
import { NOT_AN_OBJECT, describeMissingParams, listRequiredFields } from '../parse-request.ts';
import { SLOW_READ } from '../slow-read.ts';
import type { Endpoint } from './all-routes.ts';
import { DETAILS } from './details.ts';
import { type Route, permissionOf } from './define-route.ts';
import { fieldsOf } from './fields-of.ts';

/** The detail of a refusal that has a cause to name. */
export const describeForbidden = {
  /** For a member with another role. */
  permission(permission: Permission): string {
    const roles = PERMISSIONS[permission].roles.map((role) =>
      role === 'owner' ? 'an owner' : `a ${role}`,
    );
    return `${DETAILS.forbidden}: only ${roles.join(' or ')} may do this`;
  },
  secondFactor: `${DETAILS.forbidden}: this workspace requires a second factor. Set one up in your account settings, or with \`POST /api/ui/totp\``,
  scope: (scope: string) => `${DETAILS.forbidden}: the API key needs the scope \`${scope}\``,
  /** For a session in a test workspace. */
  testMode: `${DETAILS.forbidden}: in test mode, every message goes to the sandbox. Change this in the live workspace`,
  address: (address: string) =>
    `${DETAILS.forbidden}: the API key may not be used from the address ${address}`,
};

/** Only a client that has the key can read this. */
export function describeExpiredKey(at: Date): string {
  return `The API key expired at ${at.toISOString()}`;
}

/** The detail of an unexpected failure, by the code that its route gives it. */
export const FAILURE_DETAILS = {
  send_failed: 'The message could not be sent because of an internal error',
  update_failed: 'The workspace could not be updated because of an internal error',
  internal_error: 'An internal error occurred',
} as const;

/**
 * Describes a read of the route that took longer than the database allows, and what the client can do.
 * Returns null if the route does more than read, or writes its response while it reads.
 */
export function describeSlowRead({ method, response, shorterRead }: Route): string | null {
  if (method !== 'GET' || response.status !== 200 || response.contentType !== undefined)
    return null;
  return shorterRead === undefined ? SLOW_READ : `${SLOW_READ}: ${shorterRead}`;
}

/** Lists every error code that a path can return, each with its details in the order of checks. */
export function listErrors({ path, credential, route }: Endpoint): Map<ErrorCode, string[]> {
  const errors = new Map<ErrorCode, string[]>();
  const add = (code: ErrorCode, detail: string) => {
    errors.set(code, [...(errors.get(code) ?? []), detail]);
  };

  if (credential === 'api_key') {
    add('unauthorized', DETAILS.invalidApiKey);
    add('rate_limited', 'More than 100 requests in 60 seconds');
    add('rate_limited', 'More than 1000 requests from the whole workspace in 60 seconds');
    add('unauthorized', describeExpiredKey(new Date('2026-11-20T04:33:00.123Z')));
    add('forbidden', describeForbidden.address('203.0.113.7'));
    if (route.scope !== undefined && route.scope !== 'any') {
      add('forbidden', describeForbidden.scope(route.scope));
    }
  }
  if (credential === 'session') {
    add('unauthorized', DETAILS.invalidSession);
    add('rate_limited', 'More than 1000 requests in 60 seconds');
    if (path.includes('{workspaceId}')) {
      add('not_found', DETAILS.noSuchWorkspace);
      add('forbidden', DETAILS.forbidden);
      add('forbidden', describeForbidden.secondFactor);
      const permission = permissionOf(route);
      const needed = permission === 'manage_or_self' ? 'manage' : permission;
      if (needed !== 'read') add('forbidden', describeForbidden.permission(needed));
    }
    if (route.testMode === 'refused') add('forbidden', describeForbidden.testMode);
    if (route.rateLimit === 'sends') {
      add('rate_limited', 'More than 1000 requests from the whole workspace in 60 seconds');
    }
    if (route.rateLimit === 'provider_calls') {
      add('rate_limited', 'More than 60 requests that call providers in 60 seconds');
    }
  }

  const hasOwnNameError = route.errors?.invalid_name !== undefined;
  add('invalid_params', route.body === undefined ? DETAILS.malformed : DETAILS.notJson);
  if (route.body !== undefined && !hasOwnNameError) {
    const required = listRequiredFields(route.body);
    add('missing_params', required.length > 0 ? describeMissingParams(required) : NOT_AN_OBJECT);
  }
  for (const schema of [route.query, hasOwnNameError ? undefined : route.body]) {
    const detail = schema === undefined ? null : describeWrongValue(schema);
    if (detail !== null) add('invalid_params', detail);
  }
  for (const [code, detail] of fieldsOf(route.errors ?? {})) add(code, detail);
  if (path.startsWith('/api/')) {
    const failure = route.failureCode ?? 'internal_error';
    add(failure, FAILURE_DETAILS[failure]);
    add('service_unavailable', DETAILS.databaseUnavailable);
    const slowRead = describeSlowRead(route);
    if (slowRead !== null) add('service_unavailable', slowRead);
  }
  return errors;
}

/** Describes a wrong value of the first field that refuses one. */
function describeWrongValue(schema: z.ZodObject): string | null {
  for (const [name, field] of fieldsOf<string, z.ZodType>(schema.shape)) {
    for (const wrong of ['?', 5]) {
      const issue = field.safeParse(wrong).error?.issues[0];
      if (issue !== undefined) return `\`${name}\` ${issue.message}`;
    }
  }
  return null;
}
