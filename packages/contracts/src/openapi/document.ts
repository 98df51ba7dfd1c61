/** The parts of OpenAPI 3.1 that our documents use. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** The requests that programs receive, by type of event. */
  webhooks?: Record<string, { post: Operation }>;
  /** The path of each WebSocket, with the schema of its frames. */
  'x-websockets': { path: string; frame: JsonSchema }[];
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, object>;
  };
}

export interface Ref {
  $ref: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** Empty if the operation needs no credential. */
  security: Record<string, string[]>[];
  /** The scope that an API key needs; `any`: every key may use it. */
  'x-scope'?: string;
  parameters?: (Parameter | Ref)[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | Ref>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  headers: Record<string, Ref>;
  content?: Content;
}

export type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>;

export interface Header {
  description: string;
  schema: JsonSchema;
}

/** The parts of JSON Schema 2020-12 that our documents use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}
