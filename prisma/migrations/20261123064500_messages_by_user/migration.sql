-- By hand: what a Prisma schema can't express. Only messages that people sent are in this index, so those of
-- API keys, which are most, do not write to it.
CREATE INDEX CONCURRENTLY "messages_sent_by_user_idx" ON "messages"("workspace_id", "sent_by_id", "id") WHERE "sent_by" = 'user';
