import * as events from './event-routes.ts';
import * as members from './member-routes.ts';
import * as messages from './message-routes.ts';
import * as numbers from './number-routes.ts';
import * as operations from './operations-routes.ts';
import * as provider from './provider-routes.ts';
import * as settings from './settings-routes.ts';
import * as users from './user-routes.ts';
import * as webhooks from './webhook-routes.ts';
import * as workspaces from './workspace-routes.ts';
import type { Credential, Method, Route } from './define-route.ts';
import { fieldsOf } from './fields-of.ts';

/** Every route of the service by its name, in the order of the reference. */
export const routes = {
  ...messages,
  ...events,
  ...workspaces,
  ...numbers,
  ...settings,
  ...provider,
  ...members,
  ...users,
  ...webhooks,
  ...operations,
};

export type Routes = typeof routes;

/** One path of a route, with the credential that opens it. */
export interface Endpoint {
  /** For example `GET /api/messages/{messageId}`. */
  key: `${Method} /${string}`;
  name: string;
  path: `/${string}`;
  credential: Credential;
  route: Route;
}

/** Lists every path of every route, in the order of the reference. */
export function listEndpoints(): Endpoint[] {
  return Object.entries<Route>(routes).flatMap(([name, route]) =>
    fieldsOf(route.paths).map(([credential, path]) => ({
      key: `${route.method} ${path}`,
      name,
      path,
      credential,
      route,
    })),
  );
}
