-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "event_types" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "sealed_secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "position" BIGINT[],
    "next_sequence" BIGINT NOT NULL DEFAULT 1,
    "epoch" TEXT,
    "lease_owner" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_success_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_batches" (
    "endpoint_id" UUID NOT NULL,
    "first_sequence" BIGINT NOT NULL,
    "events" BIGINT[],
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "statuses" SMALLINT[],
    "durations_ms" INTEGER[],
    "delivered" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_batches_pkey" PRIMARY KEY ("endpoint_id","first_sequence")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "endpoint_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "event_seq" BIGINT,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "message_id" UUID,
    "data" JSONB,
    "event_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claim" UUID,
    "is_replay" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("endpoint_id","sequence")
);

-- CreateTable
CREATE TABLE "webhook_other_events" (
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "event_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_other_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_endpoints_workspace_id_idx" ON "webhook_endpoints"("workspace_id");

-- CreateIndex
CREATE INDEX "webhook_batches_claimed_at_idx" ON "webhook_batches"("claimed_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- CreateIndex
CREATE INDEX "webhook_other_events_endpoint_id_id_idx" ON "webhook_other_events"("endpoint_id", "id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_batches" ADD CONSTRAINT "webhook_batches_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_other_events" ADD CONSTRAINT "webhook_other_events_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand from here.

-- The row of an endpoint changes with each batch: room for new versions keeps them in its page.
ALTER TABLE "webhook_endpoints" SET (fillfactor = 50);

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_disabled_reason"
  CHECK (enabled = (disabled_reason IS NULL));

ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_status"
  CHECK (status IN ('pending', 'delivered', 'failed') AND (status = 'pending') = (next_attempt_at IS NOT NULL));

-- At most one per endpoint: the batch that is being delivered.
CREATE UNIQUE INDEX "webhook_batches_open_key" ON "webhook_batches"("endpoint_id") WHERE finished_at IS NULL;

CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("endpoint_id", "next_attempt_at")
  WHERE status = 'pending';

-- The slot of an event number: see packages/core/src/events/event-position.ts.
CREATE FUNCTION event_slot_of(seq bigint) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN seq >= 0 THEN 0 ELSE ((-seq + (1::bigint << 48) - 1) >> 48)::integer END
$$;

-- The first event of a slot that a webhook endpoint of the workspace has not passed, or that is in a batch or
-- a delivery that is not finished; NULL if there is none.
CREATE FUNCTION first_needed_by_webhooks(workspace uuid, slot integer) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT min(seq) FROM (
    SELECT COALESCE((SELECT max(p) FROM unnest(w.position) AS p WHERE event_slot_of(p) = slot),
      -(slot::bigint << 48)) + 1 AS seq
    FROM webhook_endpoints w WHERE w.workspace_id = workspace AND w.enabled
    UNION ALL
    SELECT item FROM webhook_endpoints w
    JOIN webhook_batches b ON b.endpoint_id = w.id AND b.finished_at IS NULL, unnest(b.events) AS item
    WHERE w.workspace_id = workspace AND event_slot_of(item) = slot
    UNION ALL
    SELECT d.event_seq FROM webhook_endpoints w
    JOIN webhook_deliveries d ON d.endpoint_id = w.id AND d.status = 'pending'
    WHERE w.workspace_id = workspace AND event_slot_of(d.event_seq) = slot
  ) needed
$$;

-- Adds an event that is not in message_events for each endpoint of the workspace that receives its type.
CREATE FUNCTION add_webhook_event(workspace uuid, type text, at timestamptz, data jsonb, except_endpoint uuid)
RETURNS void LANGUAGE sql AS $$
  WITH event AS MATERIALIZED (SELECT uuid_v7(now()) AS id)
  INSERT INTO webhook_other_events (endpoint_id, event_id, event_type, data, event_at)
  SELECT e.id, event.id, type, data, at
  FROM webhook_endpoints e, event
  WHERE e.workspace_id = workspace AND (e.event_types = '{}' OR type = ANY(e.event_types))
    AND e.id IS DISTINCT FROM except_endpoint
$$;

CREATE FUNCTION iso_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Opt-outs may change in large numbers, so these run once for each statement.
CREATE FUNCTION webhook_opt_outs_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_type text := CASE TG_OP WHEN 'DELETE' THEN 'opt_out.removed' ELSE 'opt_out.created' END;
BEGIN
  WITH events AS MATERIALIZED (SELECT uuid_v7(now()) AS id, c.* FROM changed c)
  INSERT INTO webhook_other_events (endpoint_id, event_id, event_type, data, event_at)
  SELECT e.id, c.id, event_type, jsonb_build_object('number', c.number, 'reason', c.reason,
    'created_at', iso_time(c.created_at)), now()
  FROM events c JOIN webhook_endpoints e ON e.workspace_id = c.workspace_id
  WHERE e.event_types = '{}' OR event_type = ANY(e.event_types);
  RETURN NULL;
END
$$;

CREATE TRIGGER webhook_opt_outs_added AFTER INSERT ON opt_outs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_changed();

CREATE TRIGGER webhook_opt_outs_removed AFTER DELETE ON opt_outs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_changed();

CREATE FUNCTION webhook_provider_status(refused_since timestamptz, failing_since timestamptz)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN refused_since IS NOT NULL THEN 'credentials_refused'
    WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'ok' END
$$;

CREATE FUNCTION webhook_provider_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  status text := webhook_provider_status(NEW.refused_since, NEW.failing_since);
BEGIN
  PERFORM add_webhook_event(NEW.workspace_id, 'provider.status_changed', now(),
    jsonb_build_object('type', NEW.type, 'status', status,
      'status_since', iso_time(COALESCE(NEW.refused_since, NEW.failing_since)),
      'status_detail', CASE status WHEN 'ok' THEN NULL
        WHEN 'failing' THEN NEW.failing_detail ELSE NEW.refused_detail END), NULL);
  RETURN NULL;
END
$$;

CREATE TRIGGER webhook_provider_changed AFTER UPDATE ON provider_configurations
  FOR EACH ROW WHEN (webhook_provider_status(OLD.refused_since, OLD.failing_since)
    <> webhook_provider_status(NEW.refused_since, NEW.failing_since))
  EXECUTE FUNCTION webhook_provider_changed();
