import { type TestDatabase, createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findKeyViolations } from './find-key-violations.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('every table of a workspace has the workspace first in its keys and its references, so that its rows can move to another database', async () => {
  expect(await findKeyViolations(client)).toEqual([]);
});

test.each<[string, string, string]>([
  [
    'a table without a workspace',
    'CREATE TABLE planted (id uuid PRIMARY KEY)',
    'planted has no required workspace_id',
  ],
  [
    'an optional workspace',
    'CREATE TABLE planted (id uuid PRIMARY KEY, workspace_id uuid)',
    'planted has no required workspace_id',
  ],
  [
    'a primary key without the workspace',
    'ALTER TABLE notes DROP CONSTRAINT notes_pkey, ADD PRIMARY KEY (id)',
    'notes_pkey of notes does not begin with workspace_id',
  ],
  [
    'a table without a primary key',
    'CREATE TABLE planted (workspace_id uuid NOT NULL)',
    'planted has no primary key',
  ],
  [
    'values that are unique beyond a workspace',
    'CREATE UNIQUE INDEX planted ON notes (body)',
    'planted of notes does not begin with workspace_id',
  ],
  [
    'a reference without the workspace',
    'ALTER TABLE media_uses ADD FOREIGN KEY (media_id) REFERENCES media_files (id)',
    'the reference of media_uses to media_files does not begin with workspace_id',
  ],
  [
    'a reference to a session',
    'ALTER TABLE audit_entries ADD COLUMN session_id uuid REFERENCES sessions',
    'the reference of audit_entries to sessions leaves its database',
  ],
  [
    'a reference of a user to a workspace',
    'ALTER TABLE users ADD COLUMN workspace_id uuid REFERENCES workspaces',
    'the reference of users to workspaces leaves its database',
  ],
  [
    'a sequence',
    'ALTER TABLE notes ADD COLUMN planted bigserial',
    'notes_planted_seq is a sequence',
  ],
  [
    'an identity column',
    'ALTER TABLE notes ADD COLUMN planted bigint GENERATED ALWAYS AS IDENTITY',
    'notes_planted_seq is a sequence',
  ],
  [
    'inheritance',
    'CREATE TABLE planted (PRIMARY KEY (workspace_id, id)) INHERITS (notes)',
    'planted inherits',
  ],
  ['an unlogged table', 'ALTER TABLE saved_views SET UNLOGGED', 'saved_views is unlogged'],
  [
    'a trigger for replicated rows',
    'ALTER TABLE contacts ENABLE ALWAYS TRIGGER contact_field_names_insert',
    'contact_field_names_insert of contacts also fires for replicated rows',
  ],
])('the check of keys finds %s', async (_what, planted, expected) => {
  await client.query('BEGIN');
  try {
    await client.query(planted);
    expect(await findKeyViolations(client)).toContain(expected);
  } finally {
    await client.query('ROLLBACK');
  }
});
