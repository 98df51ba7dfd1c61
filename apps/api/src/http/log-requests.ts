import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The message that the request created, for its line in the log. */
    createdMessageId?: string;
  }
  interface FastifyContextConfig {
    /**
     * How the route's lines are logged. `probe`: machines ask all day, so its lines are `debug`.
     * `itself`: the route logs what it did, so a success needs no second line.
     */
    log?: 'probe' | 'itself';
  }
}

/**
 * Logs one line for each request, when it is answered: who asked, what for, and which message it
 * created. Writing lines is a good part of what a short request costs. A request that has arrived and
 * is not answered yet shows at level `debug`.
 */
export class RequestLog extends LogController {
  override incomingRequest(request: FastifyRequest): void {
    request.log.debug({ req: request }, 'incoming request');
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const fields = {
      req: request,
      res: reply,
      responseTime: reply.elapsedTime,
      message_id: request.createdMessageId,
      ...describeCaller(request),
    };
    if (error != null) {
      reply.log.error({ ...fields, err: error }, 'request errored');
      return;
    }
    const { log } = request.routeOptions.config;
    const isDebug = log === 'probe' || (log === 'itself' && reply.statusCode < 300);
    reply.log[isDebug ? 'debug' : 'info'](fields, 'request completed');
  }
}

/** A hook sets each of these; none is there when the request was refused before. */
type Caller = Partial<Pick<FastifyRequest, 'apiKey' | 'membership' | 'session'>>;

function describeCaller({ apiKey, membership, session }: Caller) {
  return {
    workspace_id: apiKey?.workspaceId ?? membership?.workspaceId,
    api_key_id: apiKey?.id,
    user_id: session?.user.id,
  };
}
