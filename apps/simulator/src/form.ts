/** A decoded form or query string. A repeated field has a list of values. */
export type Form = Record<string, string | string[] | undefined>;

/** Returns the first value of a field, or an empty string if it is absent. */
export function textOf(form: Form, name: string): string {
  const value = form[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

export function listOf(form: Form, name: string): string[] {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
