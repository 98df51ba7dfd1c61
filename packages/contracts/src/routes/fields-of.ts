import type { z } from 'zod';

/** The fields of an object's schema, by their names. */
export function fieldsOf(schema: z.ZodObject): [string, z.ZodType][] {
  return Object.entries<z.ZodType>(schema.shape);
}

export function isRequired(field: z.ZodType): boolean {
  return !field.safeParse(undefined).success;
}
