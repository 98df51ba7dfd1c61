import { parseSendMessage } from '@switchboard/contracts';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import { statusOf } from '../http/answer-errors.ts';
import type { Credentials } from '../http/credentials.ts';
import type { RateLimit } from '../http/rate-limits/create-rate-limits.ts';
import type { AcceptInput, AcceptMessage } from './accept-message.ts';
import { parseIdempotencyKey } from './idempotency.ts';
import { parsePreferWait } from './prefer-wait.ts';

export interface SendRouteDependencies {
  credentials: Credentials;
  requireMember: onRequestAsyncHookHandler;
  acceptMessage: AcceptMessage;
  sendWaitSeconds: number;
  /** Over all API keys of a workspace, and what its members send. */
  workspaceLimit: Pick<RateLimit, 'consume'>;
}

const config = { failureCode: 'send_failed' } as const;

/**
 * The same route for programs, in their key's workspace, and for people, in the path's. A program's
 * key is asked for by the statement that stores, and by what answers without it: refusals and
 * replays.
 */
export function registerSendRoutes(
  app: FastifyInstance,
  dependencies: SendRouteDependencies,
): void {
  const { credentials, requireMember, acceptMessage, sendWaitSeconds } = dependencies;
  const { confirmApiKey, recognizeApiKey, requireSession } = credentials;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    sender: Pick<AcceptInput, 'workspaceId' | 'sentBy' | 'route'>,
  ) {
    const body = parseSendMessage(request.body);
    const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key']);
    const wait = parsePreferWait(request.headers['prefer']);
    if (idempotencyKey !== null) await confirmApiKey(request, reply);

    const { answer, replayed, isWaitGranted } = await acceptMessage({
      ...sender,
      requestId: request.id,
      traceParent: request.span?.traceParent ?? null,
      request: body,
      idempotencyKey,
      waitSeconds: wait ?? sendWaitSeconds,
    });
    request.createdMessageId = answer.id;
    if (wait !== null && isWaitGranted) reply.header('preference-applied', `wait=${wait}`);
    if (replayed) reply.header('idempotent-replayed', 'true');
    return reply.code(201).send(answer);
  }

  /** Counted after the membership check, so that only members use up a workspace's limit. */
  async function limitWorkspace({ membership }: FastifyRequest, reply: FastifyReply) {
    await dependencies.workspaceLimit.consume({ client: membership.workspaceId }, reply);
  }

  const route = '/api/messages';
  app.post(
    route,
    {
      onRequest: recognizeApiKey,
      config,
      /** Whatever is wrong with a request, who may not ask is told that first. */
      async errorHandler(error: FastifyError, request, reply) {
        // A failure of ours tells nobody anything, and may leave a message in doubt: it is what it is.
        if (statusOf(error, request) < 500) await confirmApiKey(request, reply);
        throw error;
      },
    },
    (request, reply) => {
      const { id, workspaceId } = request.apiKey;
      return send(request, reply, { workspaceId, sentBy: { kind: 'api_key', id }, route });
    },
  );

  const routeOfPeople = '/api/ui/workspaces/:workspaceId/messages';
  app.post(
    routeOfPeople,
    { onRequest: [requireSession, requireMember, limitWorkspace], config },
    (request, reply) => {
      const { workspaceId } = request.membership;
      const { id } = request.session.user;
      return send(request, reply, {
        workspaceId,
        sentBy: { kind: 'user', id },
        route: routeOfPeople,
      });
    },
  );
}
