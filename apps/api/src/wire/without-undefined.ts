type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** Returns the fields without those that are `undefined`, as absent fields of a parsed body may be. */
export function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<Fields>;
}
