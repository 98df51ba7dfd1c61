import pg from 'pg';

/**
 * Changes the messages that match a condition as if they were in one table, also into states that the service does
 * not reach this way. Each is then where its state belongs: in progress if it has a `due_at`. Returns their number.
 */
export async function updateMessages(
  database: pg.Pool | pg.Client,
  change: { set: string; where: string; values?: unknown[] },
): Promise<number> {
  if (database instanceof pg.Client) return update(database, change);
  const client = await database.connect();
  try {
    return await update(client, change);
  } finally {
    client.release();
  }
}

async function update(
  client: pg.ClientBase,
  { set, where, values = [] }: Parameters<typeof updateMessages>[1],
): Promise<number> {
  try {
    await client.query('BEGIN; LOCK TABLE message_records, message_progress IN EXCLUSIVE MODE');
    await client.query(
      `CREATE TEMP TABLE changed ON COMMIT DROP AS
       SELECT m.*, p.attempt_started_at, p.attempt_detail
       FROM messages m LEFT JOIN message_progress p ON p.workspace_id = m.workspace_id AND p.id = m.id`,
    );
    const updated = await client.query<{ id: string }>(
      `UPDATE changed SET ${set} WHERE ${where} RETURNING id`,
      values,
    );
    const ids = updated.rows.map(({ id }) => id);
    for (const statement of await writeBack(client)) await client.query(statement, [ids]);
    await client.query('COMMIT');
    return ids.length;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function writeBack(client: pg.ClientBase): Promise<string[]> {
  const columnsOf = async (table: string): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT quote_ident(attname) AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    return rows.map(({ name }) => name);
  };
  const ofProgress = await columnsOf('message_progress');
  const asked = new Set(['id', 'workspace_id', '"to"', 'sent_by_id']);
  const records = (await columnsOf('message_records')).filter((name) => name !== 'id');
  const values = records.map((name) =>
    ofProgress.includes(name) && !asked.has(name)
      ? `CASE WHEN c.due_at IS NULL THEN c.${name} END`
      : `c.${name}`,
  );
  const progress = ofProgress.filter((name) => name !== 'is_scheduled');
  const ofChanged = 'FROM changed c WHERE c.id = ANY($1::uuid[])';
  return [
    'DELETE FROM message_progress WHERE id = ANY($1::uuid[])',
    'DELETE FROM provider_sids WHERE message_id = ANY($1::uuid[])',
    `UPDATE message_records r SET (${records.join()}) = ROW(${values.join()}) ${ofChanged} AND r.id = c.id`,
    `INSERT INTO message_progress (${progress.join()}, is_scheduled)
     SELECT ${progress.map((name) => `c.${name}`).join()}, c.scheduled_at IS NOT NULL ${ofChanged} AND c.due_at IS NOT NULL`,
    `INSERT INTO provider_sids (provider_sid, vendor_account_id, workspace_id, message_id, direction)
     SELECT c.provider_sid, c.vendor_account_id, c.workspace_id, c.id, c.direction ${ofChanged}
       AND c.provider_sid IS NOT NULL AND c.vendor_account_id IS NOT NULL`,
  ];
}
