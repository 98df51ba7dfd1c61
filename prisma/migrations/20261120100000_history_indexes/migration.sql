-- Every filter of the history, and every pair, finds its page at the end of one of these, in order.
-- They make no update costlier than it was: `due_at`, which is indexed, changes whenever `status` does.
--
-- On a large table build them by hand first, with CREATE INDEX CONCURRENTLY: here, messages can't be
-- accepted while they are built, some 10 seconds for each million.

-- CreateIndex
CREATE INDEX IF NOT EXISTS "messages_workspace_id_direction_status_id_idx" ON "messages"("workspace_id", "direction", "status", "id");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "messages_workspace_id_to_direction_status_id_idx" ON "messages"("workspace_id", "to", "direction", "status", "id");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "messages_workspace_id_from_direction_status_id_idx" ON "messages"("workspace_id", "from", "direction", "status", "id");
