import type { ErrorCode, ProviderSignature, Routes, WebhookEvent } from '@switchboard/contracts';
import type { z } from 'zod';

// The compiler writes the resolved type of a value into the declarations, where it would write only the
// names of a type. So the packed client needs the declarations of no other package. Nothing imports this
// module at run time.

type Definitions = Routes[keyof Routes];

/** The keys of a route's paths that a program can call: not a WebSocket, not a provider's webhook. */
type KeysOf<Definition> = Definition extends {
  method: infer Method extends string;
  paths: infer Paths;
}
  ? Definition extends { response: { status: 101 } }
    ? never
    : {
        [Credential in keyof Paths]: Credential extends ProviderSignature
          ? never
          : `${Method} ${Paths[Credential] & string}`;
      }[keyof Paths]
  : never;

/** The method and path of every HTTP route, for example `POST /api/messages`. */
type RouteKey = KeysOf<Definitions>;

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

type BodyOf<Key extends RouteKey> =
  DefinitionOf<Key> extends {
    body: infer Schema extends z.ZodObject;
  }
    ? z.input<Schema>
    : DefinitionOf<Key> extends { bodyType: 'application/octet-stream' }
      ? FileBody
      : never;

/** The parsed body of a success, or the unread response if it is not JSON. */
type ResponseOf<Key extends RouteKey> = DefinitionOf<Key>['response'] extends {
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

type RequestOptions<Key extends RouteKey> = Common &
  WithParams<Key> &
  WithQuery<Key> &
  WithBody<Key>;

type Resolved<Type> = Type extends FileBody | Response | AbortSignal | Date
  ? Type
  : Type extends object
    ? { [Name in keyof Type]: Resolved<Type[Name]> }
    : Type;

function resolve<Type>(): Resolved<Type> {
  return {} as Resolved<Type>;
}

/** Has no content: only its type is used. */
export const contract = resolve<{
  routes: {
    [Key in RouteKey]: {
      options: RequestOptions<Key>;
      body: BodyOf<Key>;
      response: ResponseOf<Key>;
    };
  };
  events: { [Type in WebhookEvent['type']]: Extract<WebhookEvent, { type: Type }> };
  errors: Record<ErrorCode, true>;
}>();
