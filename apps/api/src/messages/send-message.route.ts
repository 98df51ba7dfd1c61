import { routes } from '@switchboard/contracts';
import type { RegisterRoute } from '../http/register-route.ts';
import type { Authentication } from '../auth/create-authentication.ts';
import type { AcceptMessage } from './accept-message.ts';
import { parseIdempotencyKey } from './idempotency.ts';
import { parsePreferWait } from './prefer-wait.ts';

export interface SendRouteDependencies {
  keys: Pick<Authentication['keys'], 'confirm'>;
  acceptMessage: AcceptMessage;
  sendWaitSeconds: number;
}

export function registerSendRoute(
  registerRoute: RegisterRoute,
  { keys, acceptMessage, sendWaitSeconds }: SendRouteDependencies,
): void {
  registerRoute(routes.sendMessage, async ({ workspaceId, actor, body, request, reply }) => {
    const idempotencyKey = parseIdempotencyKey(request.raw);
    const wait = parsePreferWait(request.headers['prefer']);
    // A replay responds without the statement that checks the key.
    if (idempotencyKey !== null) await keys.confirm(request, reply);

    const { response, replayed, isWaitGranted } = await acceptMessage({
      workspaceId,
      actor,
      route: request.routeOptions.url ?? '',
      requestId: request.id,
      traceParent: request.span?.traceParent ?? null,
      request: body,
      idempotencyKey,
      waitSeconds: wait ?? sendWaitSeconds,
    });
    request.createdMessageId = response.id;
    if (wait !== null && isWaitGranted) reply.header('preference-applied', `wait=${wait}`);
    if (replayed) reply.header('idempotent-replayed', 'true');
    return response;
  });
}
