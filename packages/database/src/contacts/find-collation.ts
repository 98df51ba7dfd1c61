import type pg from 'pg';
import { runStatement } from '../run-statement.ts';

export interface Collation {
  language: string;
  /** The name in PostgreSQL. */
  name: string;
}

/** Creates the function that finds the collation of the first of some languages that has one; null without ICU. */
export function createFindCollation(pool: pg.Pool) {
  let known: ReadonlySet<string> | undefined;

  return async function findCollation(languages: readonly string[]): Promise<Collation | null> {
    if (languages.length === 0) return null;
    const collations = (known ??= await readCollations(pool));
    const found = languages.flatMap((language) =>
      toNames(language).map((name) => ({ language, name })),
    );
    return found.find(({ name }) => collations.has(name)) ?? null;
  };
}

async function readCollations(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ name: string }>(
    pool,
    `SELECT collname AS name FROM pg_collation
     WHERE collprovider = 'i' AND collnamespace = 'pg_catalog'::regnamespace`,
    [],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the names that a collation of a language may have: `zh-Hant-TW-x-icu` for `zh-TW`, `sv-x-icu` for `sv`. */
function toNames(tag: string): string[] {
  let language, script, region;
  try {
    ({ language, script, region } = new Intl.Locale(tag).maximize());
  } catch {
    return []; // A person may configure any text as a language.
  }
  const tags = [[language, script, region], [language, region], [language, script], [language]];
  return tags.map((parts) => `${parts.filter(Boolean).join('-')}-x-icu`);
}
