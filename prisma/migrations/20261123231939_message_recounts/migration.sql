-- CreateTable
CREATE TABLE "message_recounts" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "id" BIGSERIAL NOT NULL,

    CONSTRAINT "message_recounts_pkey" PRIMARY KEY ("workspace_id","day","id")
);

-- By hand: what a Prisma schema can't express. Workers count a day an hour after its end, so only messages of days
-- that ended 30 minutes ago or earlier need a row; no transaction takes the time in between.
-- The condition is evaluated with the update, and the function is called only if it is true. Other changes of a
-- status show in the counts, which the same transaction changes.
CREATE FUNCTION record_message_recount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_recounts (workspace_id, day) VALUES (NEW.workspace_id, uuid_v7_day(NEW.id));
  RETURN NULL;
END
$$;

CREATE TRIGGER messages_recounted AFTER UPDATE ON messages FOR EACH ROW
  WHEN (NEW.direction = 'outbound' AND (
      NEW.status < OLD.status
      OR (NEW.status = OLD.status AND (
        NEW.provider_account IS DISTINCT FROM OLD.provider_account
        OR NEW."from" IS DISTINCT FROM OLD."from")))
    AND NEW.created_at < date_trunc('day', now() - interval '30 minutes', 'UTC'))
  EXECUTE FUNCTION record_message_recount();
