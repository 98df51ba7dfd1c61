/** The parts of OpenAPI 3.1 that our document is made of. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, object>;
  };
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  /** Empty: nobody is asked who they are. */
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
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
  headers: Record<string, { $ref: string }>;
  content?: Content;
}

export type Content = Record<string, { schema: JsonSchema }>;

export interface Header {
  description: string;
  schema: JsonSchema;
}

/** JSON Schema 2020-12, as far as ours goes. */
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
