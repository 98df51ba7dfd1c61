-- CreateTable
CREATE TABLE "event_epoch" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "restore_id" BIGINT NOT NULL DEFAULT 0,
    "first" TEXT NOT NULL,

    CONSTRAINT "event_epoch_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "event_epoch" ADD CONSTRAINT "event_epoch_one_row" CHECK (id = 1);

-- 16 hexadecimal digits. The WAL file's name begins with the timeline; unlike
-- pg_control_checkpoint(), it is right from the moment of a promotion.
CREATE FUNCTION current_event_epoch() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || lpad(to_hex(restore_id), 8, '0')
  FROM event_epoch
$$;

INSERT INTO "event_epoch" ("first")
VALUES (substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || '00000000');
