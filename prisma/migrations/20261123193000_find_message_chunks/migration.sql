-- By hand: what a Prisma schema can't express. Two steps of a search as functions, because a function with a setting is not
-- merged into the query that calls it.

-- Finds the newest chunks with the words of a query. The planner does not know that a comparison reads words that are
-- stored outside the row, and may prefer to read all chunks of all workspaces.
CREATE FUNCTION find_message_chunks(of_workspace uuid, query tsquery, before_id uuid, max_chunks integer)
RETURNS TABLE (first_id uuid, last_id uuid)
LANGUAGE sql STABLE ROWS 30 SET enable_seqscan = off AS $$
  SELECT c.first_id, c.last_id FROM message_chunks c
  WHERE c.words @@ query AND (c.workspace_id = of_workspace) IS TRUE
    AND (before_id IS NULL OR c.first_id < before_id)
  ORDER BY c.last_id DESC LIMIT max_chunks
$$;

-- Reads the messages of a chunk by the index of workspaces and ids. Only that index can compare rows in this form: by the
-- index of ids, PostgreSQL would read the messages of all workspaces. It expects so many of them that it may prefer to read
-- the whole table.
CREATE FUNCTION read_message_chunk(of_workspace uuid, lowest_id uuid, highest_id uuid)
RETURNS TABLE (id uuid, direction direction, "to" text, "from" text, body text, status message_status,
  error_code text, provider_account text, sent_by sender_kind, sent_by_id uuid)
LANGUAGE sql STABLE ROWS 200 SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT m.id, m.direction, m."to", m."from", m.body, m.status, m.error_code, m.provider_account,
    m.sent_by, m.sent_by_id
  FROM messages m
  WHERE (m.workspace_id, m.id) >= (of_workspace, lowest_id)
    AND (m.workspace_id, m.id) <= (of_workspace, highest_id)
$$;
