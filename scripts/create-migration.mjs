// npm run migration:new -- <name>            writes prisma/migrations/<time>_<name>/migration.sql
// npm run migration:new -- <name> --empty    the same when the schema has not changed
// npm run migration:new -- --print           only prints the SQL
//
// The SQL leads from the schema as it was at the last migration, kept in
// prisma/migrations/schema.prisma, to prisma/schema.prisma. An index on a table that exists is
// built CONCURRENTLY, in a migration of its own: it cannot run inside a transaction. Add by hand
// what a Prisma schema can't express (partial indexes, checks, triggers), before the migration is
// first applied anywhere: an applied migration is never edited.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { splitMigration } from './split-migration.mjs';
import { diffSchemas } from './schema-engine.mjs';

const root = path.resolve(import.meta.dirname, '..');
const migrations = path.join(root, 'prisma/migrations');
const snapshot = path.join(migrations, 'schema.prisma');

const { values, positionals } = parse();
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
  const time = createTimes(lastTime());
  const parts = sql === '' ? [{ suffix: '', sql: '-- Written by hand.\n' }] : splitMigration(sql);
  for (const { suffix, sql: part } of parts) {
    const folder = path.join(migrations, `${time()}_${name}${suffix}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'migration.sql'), part);
    console.log(`Wrote ${path.relative(root, path.join(folder, 'migration.sql'))}`);
  }
  writeFileSync(path.join(migrations, 'migration_lock.toml'), 'provider = "postgresql"\n');
  writeFileSync(snapshot, schema);
}

/** The time of the newest migration, as its name has it; '' where there is none. */
function lastTime() {
  const names = existsSync(migrations) ? readdirSync(migrations) : [];
  return names.reduce((newest, entry) => {
    const [time] = /^\d{14}(?=_)/.exec(entry) ?? [''];
    return time > newest ? time : newest;
  }, '');
}

/** Returns a time at each call, now or later, that follows `previous` and every time before it. */
function createTimes(previous) {
  let newest = previous;
  return () => {
    const format = (ms) => new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14);
    let ms = Date.now();
    while (format(ms) <= newest) ms += 1_000;
    newest = format(ms);
    return newest;
  };
}

function fail(text) {
  console.error(text);
  process.exit(1);
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { empty: { type: 'boolean' }, print: { type: 'boolean' } },
    });
  } catch (error) {
    return fail(`${error.message}\nUsage: npm run migration:new -- [--empty] [--print] <name>`);
  }
}
