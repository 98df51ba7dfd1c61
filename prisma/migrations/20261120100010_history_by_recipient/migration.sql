-- See history_by_status.

-- CreateIndex
CREATE INDEX CONCURRENTLY "messages_workspace_id_to_direction_status_id_idx" ON "messages"("workspace_id", "to", "direction", "status", "id");
