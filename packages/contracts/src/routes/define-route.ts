import type { ErrorCode, KeyScope, Permission } from '@switchboard/core';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The credential that a route requires. `none`: the route is public. */
export type Credential = 'api_key' | 'session' | ProviderSignature | 'none';

/** The provider signs the request in the vendor's own way, which the description of the vendor names. */
export type ProviderSignature = `${string}_signature`;

/** Groups routes in the reference. */
export type Tag =
  | 'Messages'
  | 'Media'
  | 'Conversations'
  | 'Events'
  | 'Workspaces'
  | 'Numbers'
  | 'Contacts'
  | 'Erasing people'
  | 'API keys'
  | 'Provider'
  | 'Opt-outs'
  | 'Members'
  | 'Statistics and audit'
  | 'Users and sessions'
  | 'Provider webhooks'
  | 'Workspace webhooks'
  | 'Operations';

/**
 * The one definition of a route. The API derives from it who may call the route, how the request is
 * parsed, the types of its handler, the rate limit and the code of an unexpected failure. The
 * OpenAPI documents, the typed client and the tests of tenancy, bad input and documented responses
 * derive from it as well.
 */
export interface Route {
  method: Method;
  /**
   * The path for each credential that the route accepts. An API key acts in its own workspace. A
   * session acts in the workspace that `{workspaceId}` names, and only a member may use it.
   */
  paths: Readonly<Partial<Record<Credential, `/${string}`>>>;
  tag: Tag;
  /** An imperative of a few words, without a full stop. */
  summary: string;
  description?: string;
  /**
   * What a member of the workspace must be allowed to do: `read` for a GET and `change` for other methods unless
   * set. `manage_or_self`: everybody may do it to their own membership.
   */
  permission?: Permission | 'manage_or_self';
  /** The scope that an API key needs; `any`: every key may use the route. Required with a path for keys. */
  scope?: KeyScope | 'any';
  /**
   * `sends`: a request with a session also counts in the rate limit of the workspace, like one with
   * a key. `provider_calls`: the request may call the server of a provider account, so it also counts in
   * the limit of those.
   */
  rateLimit?: 'sends' | 'provider_calls';
  /**
   * What a session gets for a test workspace. `refused`: the route would change how live messages are sent. `live`:
   * both modes share what the route is about, such as members, so it acts on the workspace. Unless set, the route acts on the
   * test workspace.
   */
  testMode?: 'refused' | 'live';
  /**
   * Set where a statement of the handler checks the API key. For a key that it has seen before, the
   * API then skips its own query, and checks the key before it sends any response other than the
   * handler's.
   */
  checksApiKey?: 'in_handler';
  /** The response may be read from a replica, unless the client sends `Cache-Control: no-cache`. */
  freshness?: 'may_lag';
  /**
   * What the client can change if the read takes longer than the database allows: an imperative that
   * names the parameters.
   */
  shorterRead?: string;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /**
   * The limit of a larger JSON body. Such a body may also be compressed with gzip; the limit then applies to
   * what is decompressed. Without this field, a body has at most 64 KiB and is not decompressed.
   */
  bodyMaxMebibytes?: number;
  /** JSON unless set. `application/octet-stream`: the handler reads the body of any type as a stream. */
  bodyType?: 'application/x-www-form-urlencoded' | 'application/octet-stream';
  /** Parses the body if the schema alone is not enough; throws an `AppError`. */
  parseBody?(body: unknown): unknown;
  response: RouteResponse;
  /** The error code of an unexpected failure; `internal_error` unless set. */
  failureCode?: 'send_failed' | 'update_failed';
  /**
   * The errors of this route alone, each with the `detail` that a client reads. Errors that follow from
   * the other fields are in `list-errors.ts`.
   */
  errors?: Readonly<Partial<Record<ErrorCode, string>>>;
}

export interface RouteResponse {
  status: 101 | 200 | 201;
  /** The schema of a JSON response, or of the frames of a WebSocket. */
  schema?: z.ZodType;
  /** Set where the response is not JSON. */
  contentType?: string;
  /** The response is a file that this service stores, so a HEAD request is cheap. */
  isStored?: true;
  description?: string;
  /** Headers that only some responses have. */
  headers?: readonly ('Idempotent-Replayed' | 'Preference-Applied')[];
}

/**
 * Defines a route.
 *
 * @example
 * export const getWorkspace = defineRoute({
 *   method: 'GET',
 *   paths: { api_key: '/api/workspace', session: '/api/ui/workspaces/{workspaceId}' },
 *   scope: 'any',
 *   tag: 'Workspaces',
 *   summary: 'Get the workspace',
 *   response: { status: 200, schema: workspace },
 * });
 */
export function defineRoute<const Definition extends Route>(
  route: Definition & ScopeOf<Definition['paths']>,
): Definition {
  return route;
}

/** A route that keys can reach does not compile without its scope. */
type ScopeOf<Paths> = Paths extends { api_key: string }
  ? { scope: KeyScope | 'any' }
  : { scope?: never };

/** Returns what a member of the workspace must be allowed to do to use the route. */
export function permissionOf({ method, permission }: Route): NonNullable<Route['permission']> {
  return permission ?? (method === 'GET' ? 'read' : 'change');
}
