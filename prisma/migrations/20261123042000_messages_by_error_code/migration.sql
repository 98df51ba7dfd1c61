-- By hand: what a Prisma schema can't express. Only messages with an error are in this index, so an
-- accepted message does not write to it.
CREATE INDEX CONCURRENTLY "messages_error_code_idx" ON "messages"("workspace_id", "error_code", "id") WHERE "error_code" IS NOT NULL;
