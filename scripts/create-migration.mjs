// npm run migration:new -- <name>            writes prisma/migrations/<time>_<name>/migration.sql
// npm run migration:new -- <name> --empty    the same if the schema has not changed
// npm run migration:new -- --print           only prints the SQL
//
// The SQL changes the committed prisma/schema.prisma, which is the schema after the committed migrations,
// to the current one. An index on an existing table is built CONCURRENTLY in a separate migration, because
// that cannot run in a transaction. Add by hand what a Prisma schema cannot express (partial indexes,
// checks, triggers) before the migration is applied anywhere. Never edit an applied migration.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { splitMigration } from './split-migration.mjs';
import { diffSchemas } from './schema-engine.mjs';

const root = path.resolve(import.meta.dirname, '..');
const migrations = path.join(root, 'prisma/migrations');

const { values, positionals } = parse();
const [name] = positionals;
if (!values.print && !/^[a-z][a-z0-9_]{1,60}$/.test(name ?? '')) {
  fail('Name the migration in snake_case: npm run migration:new -- add_something');
}

const schema = readFileSync(path.join(root, 'prisma/schema.prisma'), 'utf8');
const uncommitted = git('status', '--porcelain', '--', 'prisma/migrations');
if (uncommitted !== '') {
  fail(`Commit or remove the last migration first; the new one starts from it:\n${uncommitted}`);
}
const sql = await diffSchemas(git('show', 'HEAD:prisma/schema.prisma'), schema);

if (values.print) {
  process.stdout.write(sql);
} else {
  if (sql === '' && !values.empty) {
    fail('The schema has not changed since the last migration; --empty creates one anyway.');
  }
  const time = createTimes(lastTime());
  const parts = sql === '' ? [{ suffix: '', sql: '-- Written by hand.\n' }] : splitMigration(sql);
  for (const { suffix, sql: part } of parts) {
    const folder = path.join(migrations, `${time()}_${name}${suffix}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'migration.sql'), part);
    console.log(`Wrote ${path.relative(root, path.join(folder, 'migration.sql'))}`);
  }
}

/** Returns the time in the name of the newest migration, or '' if there is none. */
function lastTime() {
  return readdirSync(migrations).reduce((newest, entry) => {
    const [time] = /^\d{14}(?=_)/.exec(entry) ?? [''];
    return time > newest ? time : newest;
  }, '');
}

/** Returns a function whose results all differ: the current time, or a later one that follows `previous`. */
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

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
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
