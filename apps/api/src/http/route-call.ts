import type { PathParameter, Route, pathParameters } from '@switchboard/contracts';
import type { ActiveSession, Actor } from '@switchboard/database';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { toClientAddress } from '../auth/client-network.ts';

type Output<Schema> = Schema extends { _zod: { output: infer Value } } ? Value : undefined;

type Variables<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Variables<Rest>
  : never;

type PathsOf<Definition extends Route> = Definition['paths'][keyof Definition['paths']];

type ParamsOf<Definition extends Route> = {
  readonly [
    Name in Extract<Exclude<Variables<PathsOf<Definition>>, 'workspaceId'>, PathParameter>
  ]: Output<(typeof pathParameters)[Name]>;
};

type BodyOf<Definition extends Route> = Definition extends {
  parseBody(body: unknown): infer Body;
}
  ? Body
  : Output<Definition['body']>;

/** The caller and the workspace; the fields depend on the credential of the route. */
type CallerOf<Paths> = Paths extends { api_key: string; session: string }
  ? { workspaceId: string; actor: Exclude<Actor, { kind: 'operator' }> }
  : Paths extends { session: `${string}{workspaceId}${string}` }
    ? { workspaceId: string; actor: UserActor; session: ActiveSession }
    : Paths extends { session: string }
      ? { actor: UserActor; session: ActiveSession }
      : unknown;

type UserActor = Extract<Actor, { kind: 'user' }> & { ip: string };

interface Connection {
  request: FastifyRequest;
  reply: FastifyReply;
  log: FastifyBaseLogger;
}

/** The argument of a route's hook, before the body of the request is read. */
export type CallHead<Definition extends Route> = Connection & {
  params: ParamsOf<Definition>;
} & CallerOf<Definition['paths']>;

/**
 * The argument of a route's handler: the parsed request, with the types of the route's definition.
 */
export type Call<Definition extends Route> = CallHead<Definition> & {
  query: Output<Definition['query']>;
  body: BodyOf<Definition>;
  /** Whether the client requests the current state, which a replica may not have yet (RFC 9111). */
  isFresh: boolean;
};

/** The response of a route's handler; its type is not checked if the response is not JSON. */
export type ResponseOf<Definition extends Route> = Definition['response'] extends {
  schema: infer Schema;
}
  ? Output<Schema>
  : unknown;

/** Reads the caller from a request that the hooks of its route have accepted. */
export function readCaller(request: FastifyRequest) {
  const { apiKey, session, membership } = request;
  const ip = toClientAddress(request.ip);
  if (apiKey !== undefined) {
    const actor: Actor = { kind: 'api_key', apiKeyId: apiKey.id, keyVersion: apiKey.version, ip };
    return { workspaceId: apiKey.workspaceId, actor };
  }
  if (session === undefined) return {};
  const actor: Actor = { kind: 'user', userId: session.user.id, ip };
  return { workspaceId: membership?.workspaceId, actor, session };
}
