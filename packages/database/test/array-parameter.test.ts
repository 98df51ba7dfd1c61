import { createTestDatabase } from '@switchboard/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { toArrayParameter } from '../src/array-parameter.ts';

test('PostgreSQL returns every array element as it was written', async () => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const texts = ['', ' ', 'NULL', 'null', '{}', ',', '"', '\\', '\\"', 'a\nb\tc', '€ 😀', "it's"];
    const bytes = Buffer.from([0, 1, 34, 92, 255]);
    const at = new Date('2026-11-20T04:33:00.123Z');
    const { rows } = await client.query(
      `SELECT * FROM unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::int[], $5::bool[],
         $6::text[]) AS t(text, bytes, at, number, truth, nothing)`,
      [
        toArrayParameter([...texts, null]),
        toArrayParameter([bytes]),
        toArrayParameter([at]),
        toArrayParameter([-7]),
        toArrayParameter([false]),
        toArrayParameter([null]),
      ],
    );
    expect(rows.map((row: { text: string | null }) => row.text)).toEqual([...texts, null]);
    expect(rows[0]).toEqual({ text: '', bytes, at, number: -7, truth: false, nothing: null });
  } finally {
    await client.end();
    await drop();
  }
});
