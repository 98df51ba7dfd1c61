import { z } from 'zod';
import type { JsonSchema } from './document.ts';
import { EXAMPLE_VALUES } from './example-values.ts';

/**
 * Builds an example of a schema from the examples of its fields. A request has only its required
 * fields, a response has all fields. Throws if a string has no example.
 */
export function exampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };

  function build(described: JsonSchema, path: string): unknown {
    const field = path.slice(path.lastIndexOf('.') + 1);
    for (const name of [path, field]) {
      if (Object.hasOwn(EXAMPLE_VALUES, name)) return EXAMPLE_VALUES[name];
    }
    if (described.examples !== undefined) return described.examples[0];
    if (described.$ref !== undefined) {
      const name = described.$ref.slice(described.$ref.lastIndexOf('/') + 1);
      return build($defs[name] ?? {}, name);
    }
    if (described.const !== undefined) return described.const;
    if (described.enum !== undefined) return described.enum[0];
    const [choice] = described.anyOf ?? described.oneOf ?? [];
    if (choice !== undefined) return build(choice, path);
    switch (described.type) {
      case 'object':
        return buildObject(described, path);
      case 'array':
        return described.items === undefined ? [] : [build(described.items, path)];
      case 'boolean':
        return true;
      case 'number':
      case 'integer':
        return 1;
      default:
        if (described.format === 'uuid') return '01a1f7b3-89b6-7000-bd3d-4fb81d1bee36';
        throw new Error(`${path} has no example: add one to example-values.ts`);
    }
  }

  function buildObject({ properties = {}, required = [] }: JsonSchema, path: string): unknown {
    const names = Object.keys(properties);
    // A request without required fields shows all of them.
    const shown = io === 'output' || required.length === 0 ? names : required;
    return Object.fromEntries(
      shown.map((name) => [name, build(properties[name] ?? {}, `${path}.${name}`)]),
    );
  }

  return build(root, '');
}
