import type { z } from 'zod';

/** Returns `Object.entries` of an object whose keys are closed, without those that are absent. */
export function fieldsOf<Key extends string, Value>(
  object: Readonly<Partial<Record<Key, Value>>>,
): [Key, Value][] {
  return (Object.entries(object) as [Key, Value | undefined][]).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as [Key, Value]],
  );
}

export function isRequired(field: z.ZodType): boolean {
  return !field.safeParse(undefined).success;
}
