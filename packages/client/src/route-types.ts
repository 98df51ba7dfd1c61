import type { ErrorCode, ProviderSignature, Routes } from '@switchboard/contracts';
import type { z } from 'zod';

// Only types: the compiled client contains neither the contracts nor zod.

type Definitions = Routes[keyof Routes];

/** The keys of a route's paths that a program can call: not a WebSocket, not a provider's webhook. */
type KeysOf<Definition> = Definition extends {
  method: infer Method extends string;
  paths: infer Paths;
}
  ? Definition extends { answer: { status: 101 } }
    ? never
    : {
        [Credential in keyof Paths]: Credential extends ProviderSignature
          ? never
          : `${Method} ${Paths[Credential] & string}`;
      }[keyof Paths]
  : never;

/** The method and path of every HTTP route, for example `POST /api/messages`. */
export type RouteKey = KeysOf<Definitions>;

type DefinitionOf<Key extends RouteKey> = {
  [Name in keyof Routes]: Key extends KeysOf<Routes[Name]> ? Routes[Name] : never;
}[keyof Routes];

type Variables<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Variables<Rest>
  : never;

/** A query parameter may be given as its parsed type, for example a number, a date or a list. */
type Query<Schema extends z.ZodObject> = {
  [Name in keyof z.input<Schema>]?: string extends z.input<Schema>[Name]
    ? string | number | Date | readonly string[]
    : z.input<Schema>[Name];
};

/** A file as the body of a request. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

export type BodyOf<Key extends RouteKey> =
  DefinitionOf<Key> extends {
    body: infer Schema extends z.ZodObject;
  }
    ? z.input<Schema>
    : DefinitionOf<Key> extends { bodyType: 'application/octet-stream' }
      ? FileBody
      : never;

/** The parsed body of a success, or the unread response if it is not JSON. */
export type AnswerOf<Key extends RouteKey> = DefinitionOf<Key>['answer'] extends {
  schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : Response;

type WithParams<Key extends RouteKey> = [Variables<Key>] extends [never]
  ? unknown
  : { params: Record<Variables<Key>, string | number> };

type WithQuery<Key extends RouteKey> =
  DefinitionOf<Key> extends {
    query: infer Schema extends z.ZodObject;
  }
    ? { query?: Query<Schema> }
    : unknown;

type WithBody<Key extends RouteKey> = [BodyOf<Key>] extends [never]
  ? unknown
  : { body: BodyOf<Key> };

interface Common {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type RequestOptions<Key extends RouteKey> = Common &
  WithParams<Key> &
  WithQuery<Key> &
  WithBody<Key>;

/** The response of the service. A request that gets no response throws, as with `fetch`. */
export type Result<Key extends RouteKey> =
  | { ok: true; status: number; headers: Headers; data: AnswerOf<Key> }
  | { ok: false; status: number; headers: Headers; error: ErrorCode; detail: string };
