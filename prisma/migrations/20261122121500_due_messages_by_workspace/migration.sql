-- By hand: what a Prisma schema can't express. The sweeper takes what is due by state and workspace, so
-- that a backlog of one delays no other. New messages stand apart: their hints may be in the queue.
CREATE INDEX CONCURRENTLY "messages_due_idx" ON "messages"("dispatch", ("dispatch" = 'ready' AND "attempt" = 0 AND "scheduled_at" IS NULL), "workspace_id", "due_at") WHERE "due_at" IS NOT NULL;
