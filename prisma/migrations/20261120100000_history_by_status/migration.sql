-- Every filter of the history, and every pair, finds its page at the end of one of three indexes, in
-- order. They make no update costlier than it was: `due_at`, which is indexed, changes whenever
-- `status` does.

-- CreateIndex
CREATE INDEX CONCURRENTLY "messages_workspace_id_direction_status_id_idx" ON "messages"("workspace_id", "direction", "status", "id");
