/**
 * Replaces the parameters of a statement, which it has as `:name`, by the positions that PostgreSQL knows, and returns their
 * names in this order.
 */
export function numberParameters(text: string): { numbered: string; names: string[] } {
  const names: string[] = [];
  // A name follows one colon, a type two.
  const numbered = text.replace(/(?<!:):([a-z]\w*)/gi, (_parameter, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { numbered, names };
}
