// npm run migration:new -- <name>            writes prisma/migrations/<time>_<name>/migration.sql
// npm run migration:new -- <name> --empty    the same when the schema has not changed
// npm run migration:new -- --print           only prints the SQL
//
// The SQL leads from the schema as it was at the last migration, kept in
// prisma/migrations/schema.prisma, to prisma/schema.prisma. What a Prisma schema can't express
// (partial indexes, checks, triggers) is written by hand below it, before the migration is first
// applied anywhere: an applied migration is never edited.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { diffSchemas } from './schema-engine.mjs';

const root = path.resolve(import.meta.dirname, '..');
const migrations = path.join(root, 'prisma/migrations');
const snapshot = path.join(migrations, 'schema.prisma');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { empty: { type: 'boolean' }, print: { type: 'boolean' } },
});
const [name] = positionals;
if (!values.print && !/^[a-z][a-z0-9_]{1,60}$/.test(name ?? '')) {
  fail('Name the migration in snake_case: npm run migration:new -- add_something');
}

const schema = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8');
const last = existsSync(snapshot) ? readFileSync(snapshot, 'utf8') : null;
if (last === null && existsSync(migrations) && readdirSync(migrations).length > 0) {
  fail('prisma/migrations/schema.prisma is missing: restore it from the last migration.');
}
const sql = await diffSchemas(last, schema);

if (values.print) {
  process.stdout.write(sql);
} else {
  if (sql === '' && !values.empty) {
    fail('The schema has not changed since the last migration; --empty makes one all the same.');
  }
  const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = path.join(migrations, `${time}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'migration.sql'), sql === '' ? '-- Written by hand.\n' : sql);
  writeFileSync(path.join(migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
  writeFileSync(snapshot, schema);
  console.log(`Wrote ${path.relative(root, path.join(folder, 'migration.sql'))}`);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
