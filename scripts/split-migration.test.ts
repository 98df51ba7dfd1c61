import { expect, test } from 'vitest';
import { splitMigration } from './split-migration.mjs';

test('splitMigration builds an index on an existing table concurrently in a separate migration', () => {
  const sql = [
    '-- AlterTable',
    'ALTER TABLE "messages" ADD COLUMN "reference" TEXT;',
    '',
    '-- CreateIndex',
    'CREATE INDEX "messages_reference_idx" ON "messages"("reference");',
    '',
    '-- CreateIndex',
    'CREATE UNIQUE INDEX "users_name_key" ON "users"("name");',
    '',
  ].join('\n');
  expect(splitMigration(sql)).toEqual([
    {
      suffix: '',
      sql: '-- AlterTable\nALTER TABLE "messages" ADD COLUMN "reference" TEXT;\n',
    },
    {
      suffix: '_messages_reference_idx',
      sql: '-- CreateIndex\nCREATE INDEX CONCURRENTLY "messages_reference_idx" ON "messages"("reference");\n',
    },
    {
      suffix: '_users_name_key',
      sql: '-- CreateIndex\nCREATE UNIQUE INDEX CONCURRENTLY "users_name_key" ON "users"("name");\n',
    },
  ]);
});

test('splitMigration puts a new table and its indexes into one migration', () => {
  const sql = [
    '-- CreateTable',
    'CREATE TABLE "contacts" (',
    '    "id" UUID NOT NULL',
    ');',
    '',
    '-- CreateIndex',
    'CREATE INDEX "contacts_id_idx" ON "contacts"("id");',
    '',
  ].join('\n');
  expect(splitMigration(sql)).toEqual([{ suffix: '', sql }]);
});
