import { z } from 'zod';
import { isRequired } from './routes/fields-of.ts';

/** Fields that may be absent and may not be null, by schema. */
const droppable = new WeakMap<z.ZodObject, ReadonlySet<string>>();

function listDroppable(schema: z.ZodObject): ReadonlySet<string> {
  const known = droppable.get(schema);
  if (known !== undefined) return known;
  const fields = Object.entries<z.ZodType>(schema.shape);
  const names = fields.filter(([, field]) => !isRequired(field) && !field.safeParse(null).success);
  const found = new Set(names.map(([name]) => name));
  droppable.set(schema, found);
  return found;
}

/**
 * Returns a request body without the fields that are null and optional: client libraries write null for an absent
 * value. A field for which null has a meaning keeps it. Reads objects and lists at any depth.
 */
export function dropNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return dropNulls(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item: unknown) => dropNulls(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const shape = schema.shape as Record<string, z.ZodType>;
  const names = listDroppable(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      if (field === null && names.has(name)) return [];
      const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [[name, known === undefined ? field : dropNulls(known, field)]];
    }),
  );
}
