import { z } from 'zod';
import type { JsonSchema } from './document.ts';

export type SchemaCollector = ReturnType<typeof createSchemaCollector>;

/** Turns zod schemas into JSON Schema; those with an `id` go to the document's components. */
export function createSchemaCollector() {
  const components: Record<string, JsonSchema> = {};

  /**
   * `input`: a request, which may have extra fields. `output`: a response, which has no extra
   * fields.
   */
  function describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...described
    } = z.toJSONSchema(schema, {
      io,
      override: ({ jsonSchema }) => {
        // The format is enough; the pattern that zod adds is dropped.
        if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
        mergeNull(jsonSchema);
        // Scalar reports the empty schema, which means the same, as invalid.
        if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      components[name] = pointToComponents(definition as JsonSchema);
    }
    return pointToComponents(described as JsonSchema);
  }

  return { components, describe };
}

/**
 * Writes a nullable value as one schema with two types, as zod itself does for a string without
 * checks. Scalar reports `{ "type": "null" }` as invalid.
 */
function mergeNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, nothing, ...others] = schema.anyOf ?? [];
  if (value?.type === undefined || nothing?.type !== 'null' || others.length > 0) return;
  // A constant would exclude null, and so does an enum without it.
  if (value.const !== undefined) return;
  const { anyOf: _, ...outer } = schema;
  delete schema.anyOf;
  const values = value.enum && { enum: [...value.enum, null] };
  Object.assign(schema, value, outer, { type: [value.type, 'null'] }, values);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function pointToComponents(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(
    text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as JsonSchema;
}
