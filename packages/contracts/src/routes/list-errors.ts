import type { ErrorCode } from '@switchboard/core';
import { fieldsOf, isRequired } from './fields-of.ts';
import type { Route } from './route.ts';

/** Every error code that a route can answer, with its conditions in the order they are checked. */
export function listErrors(path: string, route: Route): Map<ErrorCode, string[]> {
  const errors = new Map<ErrorCode, string[]>();
  const add = (code: ErrorCode, condition: string) => {
    errors.set(code, [...(errors.get(code) ?? []), condition]);
  };

  if (route.credential === 'api_key') {
    add('unauthorized', 'The API key is missing, malformed, unknown or revoked');
    add('rate_limited', 'The requests of the key, or of its workspace, in this minute are used up');
  }
  if (route.credential === 'session') {
    add('unauthorized', 'The session token is missing, malformed, unknown or expired');
    add('rate_limited', 'The user’s requests in this minute are used up');
    if (path.includes('{workspaceId}')) {
      add('not_found', 'No such workspace');
      add('forbidden', 'Not a member of the workspace');
    }
    if (route.ownersOnly) add('forbidden', 'Not an owner of the workspace');
  }
  add('invalid_params', 'The request is malformed');
  if (route.body !== undefined && !takesName(route)) {
    if (fieldsOf(route.body).some(([, field]) => isRequired(field))) {
      add('missing_params', 'A required field is absent, null or empty');
    } else {
      add('missing_params', 'There is no body, or it is no JSON object');
    }
  }
  if (route.query !== undefined || (route.body !== undefined && !takesName(route))) {
    add('invalid_params', 'A parameter is there but wrong; `detail` names it');
  }
  for (const [code, condition] of Object.entries(route.errors ?? {})) {
    add(code as ErrorCode, condition);
  }
  if (path.startsWith('/api/')) {
    add(route.failureCode ?? 'internal_error', 'An unexpected failure');
    add(
      'service_unavailable',
      'The database is away, or the service overloaded; nothing was stored',
    );
  }
  return errors;
}

/** A workspace's name has an error code of its own for everything. */
function takesName(route: Route): boolean {
  return route.errors?.invalid_name !== undefined;
}
