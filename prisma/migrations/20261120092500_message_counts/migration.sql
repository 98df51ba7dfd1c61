-- CreateTable
CREATE TABLE "message_counts" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "direction" "direction" NOT NULL,
    "status" "message_status" NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "message_counts_pkey" PRIMARY KEY ("workspace_id","day","direction","status")
);

-- By hand: what a Prisma schema can't express.

-- Today's rows change with every batch. With room on their pages the new versions stay there, no
-- index changes, and the old ones are cleared on the way (HOT) instead of by vacuum.
ALTER TABLE "message_counts" SET (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.5,
  autovacuum_vacuum_threshold = 2000);

-- The day, in UTC, of the time inside a UUIDv7. Not `created_at`: ranges of days are ranges of ids.
CREATE FUNCTION uuid_v7_day(id uuid) RETURNS date
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT date '1970-01-01'
    + (('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 86400000)::int
$$;

-- Keeps message_counts what count(*) would say, in the transaction that changes the messages, and
-- whoever changes them: any release of the service, retention, psql.
--
-- Locks: a statement's triggers run at its end, so the order is message rows, event_counters rows,
-- rows of this table; within the table it is the order of the key, and rows whose count stays are
-- not touched. No two statements can wait for each other here, and what holds a workspace's event
-- counter never waits at all save for deletes. A transaction that has changed messages should end
-- before it changes others: it would take message rows while it holds counts.
CREATE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, count(*) FROM added
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, -count(*) FROM removed
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, sum(change)
    FROM (
      SELECT workspace_id, id, direction, status, 1 AS change FROM added
      UNION ALL
      SELECT workspace_id, id, direction, status, -1 FROM removed
    ) changes
    GROUP BY 1, 2, 3, 4 HAVING sum(change) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSE
    DELETE FROM message_counts;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER messages_counted_insert AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
-- A trigger that is given the rows takes no list of columns: a claim, which changes no status, pays
-- for finding that out.
CREATE TRIGGER messages_counted_update AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER messages_counted_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER messages_counted_truncate AFTER TRUNCATE ON messages
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
