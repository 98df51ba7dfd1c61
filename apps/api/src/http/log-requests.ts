import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The message that the request created, for its line in the log. */
    createdMessageId?: string;
  }
  interface FastifyContextConfig {
    /**
     * How the route's requests are logged. `probe`: frequent requests from machines, logged at
     * `debug`. `itself`: the route logs its own line, so a success needs no second one.
     */
    log?: 'probe' | 'itself';
  }
}

/**
 * Logs one line for each answered request: the caller, the route and the created message. Writing
 * log lines is a large part of the cost of a short request. The arrival of a request is logged at
 * level `debug`.
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

/** Hooks set these fields; they are absent if the request was refused earlier. */
type Caller = Partial<Pick<FastifyRequest, 'apiKey' | 'membership' | 'session'>>;

function describeCaller({ apiKey, membership, session }: Caller) {
  return {
    workspace_id: apiKey?.workspaceId ?? membership?.workspaceId,
    api_key_id: apiKey?.id,
    user_id: session?.user.id,
  };
}
