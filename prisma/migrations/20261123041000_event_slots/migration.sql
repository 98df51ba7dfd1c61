-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "last_event" BIGINT;

-- AlterTable
ALTER TABLE "message_events" ADD COLUMN     "message_version" INTEGER,
ADD COLUMN     "previous_seq" BIGINT;

-- AlterTable
ALTER TABLE "running_processes" ADD COLUMN     "slot" SMALLINT;

-- CreateTable
CREATE TABLE "message_slot_counts" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "slot" SMALLINT NOT NULL,
    "direction" "direction" NOT NULL,
    "status" "message_status" NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "message_slot_counts_pkey" PRIMARY KEY ("workspace_id","day","slot","direction","status")
);

-- CreateTable
CREATE TABLE "event_slots" (
    "workspace_id" UUID NOT NULL,
    "slot" SMALLINT NOT NULL,
    "last_seq" BIGINT NOT NULL,

    CONSTRAINT "event_slots_pkey" PRIMARY KEY ("workspace_id","slot")
);

-- AddForeignKey
ALTER TABLE "event_slots" ADD CONSTRAINT "event_slots_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what a Prisma schema can't express.

-- These rows change with every batch. With room on their pages the new versions stay there and no index
-- changes (HOT).
ALTER TABLE "event_slots" SET (fillfactor = 25);
ALTER TABLE "message_slot_counts" SET (fillfactor = 25, autovacuum_vacuum_scale_factor = 0.5,
  autovacuum_vacuum_threshold = 2000);

-- Changes the counts of the slot that the transaction has set, so that two processes never wait for
-- each other's commits. Without a slot, as in earlier releases and in psql, and for deletes, it changes
-- message_counts. The locks and their order are those of 20261120092500_message_counts.
CREATE OR REPLACE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  own_slot smallint := COALESCE(NULLIF(current_setting('switchboard.event_slot', true), ''), '0')::smallint;
BEGIN
  IF TG_OP = 'INSERT' AND own_slot > 0 THEN
    INSERT INTO message_slot_counts AS c (workspace_id, day, slot, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), own_slot, direction, status, count(*) FROM added
    GROUP BY 1, 2, 4, 5 ORDER BY 1, 2, 4, 5
    ON CONFLICT (workspace_id, day, slot, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, count(*) FROM added
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), direction, status, -count(*) FROM removed
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n;
  ELSIF TG_OP = 'UPDATE' AND own_slot > 0 THEN
    INSERT INTO message_slot_counts AS c (workspace_id, day, slot, direction, status, n)
    SELECT workspace_id, uuid_v7_day(id), own_slot, direction, status, sum(change)
    FROM (
      SELECT workspace_id, id, direction, status, 1 AS change FROM added
      UNION ALL
      SELECT workspace_id, id, direction, status, -1 FROM removed
    ) changes
    GROUP BY 1, 2, 4, 5 HAVING sum(change) <> 0 ORDER BY 1, 2, 4, 5
    ON CONFLICT (workspace_id, day, slot, direction, status) DO UPDATE SET n = c.n + excluded.n;
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
    DELETE FROM message_slot_counts;
  END IF;
  RETURN NULL;
END
$$;

CREATE VIEW all_message_counts AS
SELECT workspace_id, day, direction, status, n FROM message_counts
UNION ALL
SELECT workspace_id, day, direction, status, n FROM message_slot_counts;

-- Adds up counts of days before `before` in message_counts, up to `max_rows` of them, and returns how many.
-- The sums do not change; there are fewer rows to read. Rows that a process is changing are skipped, so
-- that there are no waits on either side. With 'infinity' and NULL it prepares for a release without slots.
CREATE FUNCTION add_up_message_counts(before date, max_rows integer) RETURNS bigint LANGUAGE sql AS $$
  WITH taken AS (
    DELETE FROM message_slot_counts WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM message_slot_counts WHERE day < before LIMIT max_rows FOR UPDATE SKIP LOCKED))
    RETURNING workspace_id, day, direction, status, n
  ),
  added AS (
    INSERT INTO message_counts AS c (workspace_id, day, direction, status, n)
    SELECT workspace_id, day, direction, status, sum(n) FROM taken
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (workspace_id, day, direction, status) DO UPDATE SET n = c.n + excluded.n
  )
  SELECT count(*) FROM taken
$$;

-- Processes of the previous release write events without the message's version and without the event
-- before. This adds both, so that clients receive the events of each message in order during a rolling
-- upgrade too. Their statement has locked the message, and holds the counter of the workspace: a message is
-- written only if a process with a slot has written an event of it since. A later release drops the trigger.
CREATE FUNCTION complete_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT version, CASE WHEN NEW.visible THEN last_event END INTO NEW.message_version, NEW.previous_seq
  FROM messages WHERE id = NEW.message_id;
  IF NEW.previous_seq IS NOT NULL THEN
    UPDATE messages SET last_event = NULL WHERE id = NEW.message_id;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER message_events_completed BEFORE INSERT ON message_events
  FOR EACH ROW WHEN (NEW.message_version IS NULL) EXECUTE FUNCTION complete_event();
