import { conversationRoutes } from './conversation-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { numberRoutes } from './number-routes.ts';
import { operationsRoutes } from './operations-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { userRoutes } from './user-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';

/**
 * Everything the service answers, in the order of the reference. The OpenAPI document, the
 * reference and the client's types are made of it; a test holds it against the running service.
 */
export const routes = {
  ...messageRoutes,
  ...conversationRoutes,
  ...eventRoutes,
  ...workspaceRoutes,
  ...numberRoutes,
  ...settingsRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...webhookRoutes,
  ...operationsRoutes,
} as const;

export type Routes = typeof routes;
