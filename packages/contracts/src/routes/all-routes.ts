import { contactRoutes } from './contact-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { numberRoutes } from './number-routes.ts';
import { operationsRoutes } from './operations-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { providerAccountRoutes } from './provider-account-routes.ts';
import { savedViewRoutes } from './saved-view-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { singleSignOnRoutes } from './single-sign-on-routes.ts';
import { userRoutes } from './user-routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';
import type { Credential, Method, Route } from './define-route.ts';
import { fieldsOf } from './fields-of.ts';

const routesBeforeWebhooks = {
  ...messageRoutes,
  ...mediaRoutes,
  ...savedViewRoutes,
  ...conversationRoutes,
  ...eventRoutes,
  ...workspaceRoutes,
  ...numberRoutes,
  ...contactRoutes,
  ...erasureRoutes,
  ...settingsRoutes,
  ...providerRoutes,
  ...webhookEndpointRoutes,
  ...providerAccountRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...secondFactorRoutes,
  ...singleSignOnRoutes,
};

/** The routes of the service that clients call, by name. */
export const routes = { ...routesBeforeWebhooks, ...operationsRoutes };

/** Every route by its name, in the order of the reference. */
const allRoutes: Readonly<Record<string, Route>> = {
  ...routesBeforeWebhooks,
  ...webhookRoutes,
  ...operationsRoutes,
};

export type Routes = typeof routes;

/** One path of a route, with the credential that it requires. */
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
  return Object.entries(allRoutes).flatMap(([name, route]) =>
    fieldsOf(route.paths).map(([credential, path]) => ({
      key: `${route.method} ${path}`,
      name,
      path,
      credential,
      route,
    })),
  );
}
