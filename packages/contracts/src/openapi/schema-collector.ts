import { z } from 'zod';
import type { JsonSchema } from './document.ts';

export type SchemaCollector = ReturnType<typeof createSchemaCollector>;

/** Turns zod schemas into JSON Schema; those with an `id` go to the document's components. */
export function createSchemaCollector() {
  const components: Record<string, JsonSchema> = {};

  /**
   * `input`: a request, which may have extra fields. `output`: an answer, which has no other
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
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      components[name] = pointToComponents(definition as JsonSchema);
    }
    return pointToComponents(described as JsonSchema);
  }

  return { components, describe };
}

function pointToComponents(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(
    text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as JsonSchema;
}
