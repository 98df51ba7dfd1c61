/** A decoded form or query string: a repeated field is a list. */
export type Form = Record<string, string | string[] | undefined>;

/** The field's text; of a repeated one the first; empty when absent. */
export function textOf(form: Form, name: string): string {
  const value = form[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

export function listOf(form: Form, name: string): string[] {
  const value = form[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
