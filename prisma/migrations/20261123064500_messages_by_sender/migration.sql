-- By hand: what a Prisma schema can't express. Received messages have no sender and are not in this index.
CREATE INDEX CONCURRENTLY "messages_sent_by_idx" ON "messages"("workspace_id", "sent_by_id", "id") WHERE "sent_by_id" IS NOT NULL;
