import type { JsonSchema, OpenApiDocument, Operation } from '@switchboard/contracts';

/** A value of the schema with its required fields, to show what one looks like. */
function exampleOf(document: OpenApiDocument, schema: JsonSchema, name = ''): unknown {
  if (schema.$ref !== undefined)
    return exampleOf(document, resolveRef(document, schema.$ref), name);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return exampleOf(document, first, name);
  switch (typesOf(schema)[0]) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {});
      // Where nothing is required, everything is shown.
      const wanted = schema.required?.length ? schema.required : properties.map(([key]) => key);
      return Object.fromEntries(
        properties
          .filter(([key]) => wanted.includes(key))
          .map(([key, field]) => [key, exampleOf(document, field, key)]),
      );
    }
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(document, schema.items, name)];
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 1;
    default:
      return exampleText(schema, name);
  }
}

const TEXTS: Record<string, string> = {
  account_sid: `AC${'0'.repeat(32)}`,
  auth_token: 'the account’s token',
  messaging_service_sid: `MG${'0'.repeat(32)}`,
  body: 'Hello',
  email: 'ada@example.com',
  name: 'Ada',
  opt_out: 'You will hear no more from us.',
  opt_in: 'Welcome back.',
  help: 'Ask us at help@example.com.',
  label: 'Support',
};

function exampleText(schema: JsonSchema, name: string): string {
  if (schema.format === 'uuid') return '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
  if (schema.format === 'password') return 'a long enough password';
  return TEXTS[name] ?? 'text';
}

/** The line that asks for the operation, with variables where the reader's own values go. */
export function curlOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${toVariable(name)}`);
  const lines = [`curl "$BASE_URL${address}"`];
  const needsMethod = operation.requestBody === undefined ? method !== 'get' : method !== 'post';
  if (needsMethod) lines.push(`-X ${method.toUpperCase()}`);
  const scheme = Object.keys(operation.security[0] ?? {})[0];
  if (scheme === 'api_key') lines.push('-H "Authorization: Bearer $API_KEY"');
  if (scheme === 'session') lines.push('-H "Authorization: Bearer $SESSION_TOKEN"');
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema !== undefined) {
    const body = JSON.stringify(exampleOf(document, schema)).replaceAll("'", String.raw`'\''`);
    lines.push("-H 'Content-Type: application/json'", `-d '${body}'`);
  }
  return lines.join(' \\\n  ');
}

function toVariable(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

export function typesOf(schema: JsonSchema): string[] {
  return schema.type === undefined ? [] : [schema.type].flat();
}

export function resolveRef(document: OpenApiDocument, ref: string): JsonSchema {
  return document.components.schemas[nameOfRef(ref)] ?? {};
}

export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
